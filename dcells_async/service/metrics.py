"""What the service counts, for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from ..cover import Pulse

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from .gate import Gate

__all__ = ["Meter", "Metrics"]


class Metrics:
    """The counters of one application.

    Parameters
    ----------
    gate : Gate
        Knows how many searches are open, and how many requests wait.
    """

    def __init__(self, gate: Gate) -> None:
        self.registry = registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"dcells_{name}", text, labels, registry=registry)

        self.searches = counter("searches", "Searches ended.", "kind", "outcome")
        self.refusals = counter("refusals", "Requests refused.", "kind", "status")
        self.cancellations = counter("cancellations", "Searches cut short.", "reason")
        self.nodes = counter("nodes", "Nodes of search trees entered.", "kind")
        self.covers = counter("covers", "Covers found, and lines answered.", "kind")
        self.seconds = counter("search_seconds", "Time in open searches.", "kind")
        self.open = Gauge(
            "dcells_open_searches", "Searches open now.", ["kind"], registry=registry
        )
        occupied = Gauge("dcells_slots", "Slots in use.", registry=registry)
        occupied.set_function(lambda: gate.n_open)
        self.meters: set[Meter] = set()
        waiting = Gauge("dcells_queue", "Requests that wait.", registry=registry)
        waiting.set_function(lambda: gate.n_waiting)

    def meter(self, kind: str) -> Meter:
        """Give the counters of a new search."""
        return Meter(self, kind)

    def refresh(self) -> None:
        """Count what has happened in open searches."""
        for meter in [*self.meters]:
            meter.note()

    def text(self) -> bytes:
        """Give all of it in Prometheus's text format."""
        self.refresh()
        return generate_latest(self.registry)


class Meter:
    """The counters of one search, open while in the ``with`` block.

    Attributes
    ----------
    outcome : str
        How the search ended.
    """

    def __init__(self, metrics: Metrics, kind: str) -> None:
        self._metrics = metrics
        self._kind = kind
        self._noted = Pulse()
        self._look: Callable[[], Pulse] = Pulse
        self.outcome = "cancelled"
        self._is_cut = False

    def __enter__(self) -> Self:
        self._metrics.open.labels(self._kind).inc()
        self._metrics.meters.add(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.note()
        self._metrics.meters.remove(self)
        self._metrics.open.labels(self._kind).dec()
        self._metrics.searches.labels(self._kind, self.outcome).inc()

    def watch(self, look: Callable[[], Pulse]) -> None:
        """Look at a search's statistics whenever it matters."""
        self._look = look

    def note(self) -> None:
        """Count what has happened since the last time."""
        before, now = self._noted, self._look()
        self._noted = now
        metrics, kind = self._metrics, self._kind
        metrics.nodes.labels(kind).inc(max(0, now.nodes - before.nodes))
        metrics.covers.labels(kind).inc(max(0, now.covers - before.covers))
        metrics.seconds.labels(kind).inc(max(0.0, now.elapsed - before.elapsed))

    def cancelled(self, reason: str) -> None:
        """Count a search that is cut short, for the first reason there is."""
        if self._is_cut:
            return
        self._is_cut = True
        self._metrics.cancellations.labels(reason).inc()
