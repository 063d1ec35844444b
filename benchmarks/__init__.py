"""Measures the library side by side with its peers, and against its own promises.

``python -m benchmarks`` compares, ``python -m benchmarks.promises`` checks what the
library says of itself. Both are run from a checkout; nothing here ships with it.
"""
