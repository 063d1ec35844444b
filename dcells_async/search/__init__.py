"""Searches without input, output, clock, thread or event loop."""
