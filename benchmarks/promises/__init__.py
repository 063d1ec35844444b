"""Measures what the library promises of itself: ``python -m benchmarks.promises``.

One module a promise. Each has a ``measure`` that returns figures by name, and is run in
a process of its own.
"""
