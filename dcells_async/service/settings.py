"""What whoever runs the service may decide: by code, environment or flags."""

from __future__ import annotations

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings"]

_MB = 10**6


class Settings(BaseSettings):
    """What the service may do, and how much of it.

    Each is read from the environment, unless it is given: ``max_open`` from
    ``DCELLS_SERVE_MAX_OPEN``, and so on.

    Examples
    --------
    >>> Settings(max_open=4).max_open
    4
    """

    model_config = SettingsConfigDict(env_prefix="DCELLS_SERVE_", frozen=True)

    # -- who may ask -----------------------------------------------------------------

    token: SecretStr | None = Field(
        default=None, min_length=1, description="Ask everybody for this bearer token."
    )
    allowed_origins: str = Field(
        default="",
        description="Origins, separated by commas, whose pages may ask from a browser; "
        "by default none but the service's own.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses of proxies, separated by commas, that are believed what "
        "they say of their clients.",
    )

    # -- how large a problem ---------------------------------------------------------

    max_body: int = Field(
        default=16 * _MB,
        ge=1,
        description="Bytes of a request; lines may be any number.",
    )
    max_json: int = Field(
        default=2 * _MB, ge=1, description="Bytes of a request in JSON."
    )
    max_items: int = Field(default=100_000, ge=1, description="Items of a problem.")
    max_options: int = Field(
        default=1_000_000, ge=1, description="Options of a problem."
    )
    max_nodes: int = Field(
        default=10_000_000, ge=1, description="Items in all options together."
    )
    max_line: int = Field(
        default=1000, ge=100, description="Bytes of a line, where lines are asked."
    )

    # -- how long and how many -------------------------------------------------------

    max_seconds: float = Field(
        default=3600.0, gt=0, description="Seconds that a search may last."
    )
    max_memory: int = Field(
        default=1000 * _MB,
        ge=1,
        description="Bytes of the tables of a search, where those may grow.",
    )
    max_open: int = Field(default=512, ge=1, description="Searches open at a time.")
    max_open_per_client: int = Field(
        default=256, ge=1, description="Searches that one client may have open."
    )
    max_waiting: int = Field(
        default=1024, ge=0, description="Requests that wait for others to end."
    )
    wait_seconds: float = Field(
        default=5.0, ge=0, description="Seconds that a request may wait."
    )

    # -- the conversation ------------------------------------------------------------

    read_seconds: float = Field(
        default=30.0, gt=0, description="Seconds that a request may take to arrive."
    )
    slow_reader_seconds: float = Field(
        default=300.0,
        gt=0,
        description="Seconds that a search rests for a reader who does not read.",
    )
    pulse_seconds: float = Field(
        default=1.0, gt=0, description="Seconds between pulses, if none are asked for."
    )
    buffer: int = Field(
        default=96, ge=0, description="Covers found before somebody takes them."
    )

    @property
    def origins(self) -> tuple[str, ...]:
        """The allowed origins, one by one."""
        return tuple(filter(None, map(str.strip, self.allowed_origins.split(","))))
