"""The Simulator contract on habitat-sim, headless, and the data sets it loads.

Nothing is imported here: the app uses `export` and `interpreter` without habitat-sim, and a worker
uses `simulator` under an interpreter that has little besides it.
"""
