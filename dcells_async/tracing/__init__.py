"""The dance to be watched: every step of it, by links or by cells."""

from __future__ import annotations

from .step import Action, Step
from .watch import Trace, trace

__all__ = ["Action", "Step", "Trace", "trace"]
