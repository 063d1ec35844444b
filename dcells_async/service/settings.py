"""What whoever runs the service may decide: by code, environment or flags."""

from __future__ import annotations

import re
from ipaddress import ip_network

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings"]

_MB = 10**6
_TOKEN = re.compile("[!-~]([ -~]*[!-~])?")


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
        default=None,
        description="Ask everybody for this bearer token, in ASCII.",
    )
    allowed_origins: str = Field(
        default="",
        description="Origins, separated by commas, whose pages may ask from a browser; "
        "by default none but the service's own.",
    )
    allowed_hosts: str = Field(
        default="",
        description="Names, separated by commas, by which browsers and others may call "
        "the service; by default any, but `dcells serve` on a loopback address without "
        "trusted proxies answers to localhost and loopback only.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses of proxies, or networks, separated by commas, that are "
        "believed what they say of their clients.",
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
        return _parts(self.allowed_origins)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The allowed hosts, one by one."""
        return _parts(self.allowed_hosts.lower())

    @field_validator("token")
    @classmethod
    def _sendable(cls, token: SecretStr | None) -> SecretStr | None:
        """Refuse what cannot be sent in a header, or would not arrive as it was."""
        if token is not None and not _TOKEN.fullmatch(token.get_secret_value()):
            raise ValueError(
                "a token is visible ASCII characters, at least one, and perhaps "
                "blanks between them; for no token, leave it out"
            )
        return token

    @field_validator("allowed_origins")
    @classmethod
    def _origins(cls, text: str) -> str:
        for origin in _parts(text):
            if not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/?#\s]+", origin):
                raise ValueError(
                    f"an origin is written like https://example.org, not {origin!r}"
                )
        return text

    @field_validator("trusted_proxies")
    @classmethod
    def _proxies(cls, text: str) -> str:
        for proxy in _parts(text):
            try:
                ip_network(proxy)
            except ValueError:
                raise ValueError(
                    f"a proxy is an address like 10.0.0.1, or a network like "
                    f"10.0.0.0/8, not {proxy!r}"
                ) from None
        return text


def _parts(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))
