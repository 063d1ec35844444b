"""Exact covers with colors, as an asynchronous stream.

>>> from dcells_async import XCC
>>> with XCC().solve("a b c\\na b\\nc\\na c\\nb") as covers:
...     for cover in covers:
...         print(*cover)
('a', 'b') ('c',)
('a', 'c') ('b',)
"""

from __future__ import annotations

from ._version import __version__
from .cover import Cover, Outcome, Pulse, Stats
from .diagram import Diagram
from .dlx import Source
from .engine import Engine
from .engines import MCC, XCC, XCCDC
from .errors import (
    CapacityError,
    ColorError,
    DcellsError,
    DiagramTooLarge,
    DlxSyntaxError,
    DlxWarning,
    DuplicateItemError,
    FrameError,
    GivenError,
    MultiplicityError,
    PriceError,
    ProblemError,
    SearchError,
    UnknownItemError,
)
from .frame import Frame
from .kernels import COMPILED
from .minimizer import Minimizer
from .problem import Item, Note, Option, Problem
from .solving import Covers
from .stream.channel import CoverStream
from .stream.dance import Dance, Heartbeat, Result
from .verify import verify
from .zdd import ZDD, Building

__all__ = [
    "COMPILED",
    "MCC",
    "XCC",
    "XCCDC",
    "ZDD",
    "Building",
    "CapacityError",
    "ColorError",
    "Cover",
    "CoverStream",
    "Covers",
    "Dance",
    "DcellsError",
    "Diagram",
    "DiagramTooLarge",
    "DlxSyntaxError",
    "DlxWarning",
    "DuplicateItemError",
    "Engine",
    "Frame",
    "FrameError",
    "GivenError",
    "Heartbeat",
    "Item",
    "Minimizer",
    "MultiplicityError",
    "Note",
    "Option",
    "Outcome",
    "PriceError",
    "Problem",
    "ProblemError",
    "Pulse",
    "Result",
    "SearchError",
    "Source",
    "Stats",
    "UnknownItemError",
    "__version__",
    "verify",
]
