"""Instruments: published questionnaires as data, with their scoring keys, sources and licences.

One of these, or one's own, is one file of this folder and one line of the registry.
"""
