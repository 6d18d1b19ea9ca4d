"""The wire: messages and codecs between server and browser (`docs/protocol.md`)."""
