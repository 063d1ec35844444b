"""All covers at once, as a value: to count, sample, weigh, and take apart."""

from __future__ import annotations

from .diagram import Diagram

__all__ = ["Diagram"]
