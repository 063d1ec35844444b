"""The version, alone in its file so that a build can read it without importing."""

__version__ = "0.1.0"
