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
from .auto import Auto
from .choosing import count, counting, dance, first, is_unique, minimize, solve
from .cover import Cover, Outcome, Pulse, Stats
from .diagram import AwaitableDiagram, Diagram
from .dlx import Source
from .engine import Engine
from .engines import MCC, XCC, XCCDC
from .errors import (
    CapacityError,
    CheckpointError,
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
from .fanout import fan_out
from .frame import Frame
from .kernels import COMPILED
from .minimizer import Minimizer
from .problem import Item, Note, Option, Problem
from .reducing import reduced
from .solving import Covers
from .stream.channel import Channel, CoverStream
from .stream.dance import Dance
from .stream.fanout import Answer, FanOut
from .stream.result import Heartbeat, Result
from .tracing import Action, Step, Trace, trace
from .verify import verify
from .zdd import ZDD, Building

__all__ = [
    "COMPILED",
    "MCC",
    "XCC",
    "XCCDC",
    "ZDD",
    "Action",
    "Answer",
    "Auto",
    "AwaitableDiagram",
    "Building",
    "CapacityError",
    "Channel",
    "CheckpointError",
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
    "FanOut",
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
    "Step",
    "Trace",
    "UnknownItemError",
    "__version__",
    "count",
    "counting",
    "dance",
    "fan_out",
    "first",
    "is_unique",
    "minimize",
    "reduced",
    "solve",
    "trace",
    "verify",
]
