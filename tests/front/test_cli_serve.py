"""``dcells serve``: a process of its own, from the first line to the signal."""

from __future__ import annotations

import signal
import socket
import sys
import time

import anyio
import httpx
import pytest
from problems import FRUITLESS, SMALL, queens
from serving import serving
from standing import HANG_S

from dcells_async.cli import main
from dcells_async.client import RemoteError, solve_remote


@pytest.mark.isolated
@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
async def test_serves_and_ends_open_streams_when_told_to_stop(anyio_backend):
    number = {"asyncio": signal.SIGTERM, "trio": signal.SIGINT}[anyio_backend]
    with (
        anyio.fail_after(HANG_S),
        serving("--backend", anyio_backend) as (process, url),
    ):
        async with solve_remote(url, SMALL) as result:
            assert len([cover async for cover in result.solutions]) == 2
        with pytest.raises(RemoteError, match="shutting down"):
            async with solve_remote(url, FRUITLESS) as result:
                process.send_signal(number)
                async for _ in result.solutions:
                    pytest.fail("there is no cover")
        _, errors = await anyio.to_thread.run_sync(process.communicate)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.isolated
@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
def test_reader_who_does_not_read_cannot_keep_it_from_ending():
    # With uvicorn this is simple; hypercorn shields its sends.
    with serving("--backend", "trio") as (process, url):
        httpx.get(url + "/health")
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as frozen:
            body = queens(13).encode()
            head = "POST /v1/solve HTTP/1.1\r\nhost: localhost\r\n"
            length = f"content-length: {len(body)}\r\n\r\n"
            frozen.sendall((head + length).encode() + body)
            frozen.recv(1)
            while metric(url, "dcells_covers_total") != metric(
                url, "dcells_covers_total"
            ):
                pass
            process.send_signal(signal.SIGTERM)
            assert process.wait(HANG_S) == 0


def metric(url, name):
    """What has been counted, and somewhat later."""
    time.sleep(0.1)
    lines = httpx.get(url + "/metrics").text.splitlines()
    return [line for line in lines if line.startswith(name)]


@pytest.mark.isolated
def test_flags_come_before_the_environment(monkeypatch):
    monkeypatch.setenv("DCELLS_SERVE_MAX_BODY", "5")
    monkeypatch.setenv("DCELLS_SERVE_TOKEN", "secret")
    headers = {"authorization": "Bearer secret"}
    with serving("--max-body", "3") as (_, url):
        answer = httpx.post(f"{url}/v1/solve", content=SMALL, headers=headers)
        assert answer.json()["detail"] == "at most 3 bytes"
        assert httpx.post(f"{url}/v1/solve", content=SMALL).status_code == 401


def test_help_lists_the_settings(capsys):
    assert main(["serve", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--max-open-per-client" in text
    assert "[default: 512]" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--max-open", "0"], "setting max_open"),
        (["--max-seconds", "-1"], "setting max_seconds"),
        (["--token", ""], "setting token: a token is visible ASCII characters"),
        (["--token", "s\u00e9cret"], "setting token"),
        (["--token", "\udcff"], "setting token"),
        (["--trusted-proxies", "nginx"], "like 10.0.0.1"),
        (["--trusted-proxies", "10.0.0.1/8"], "setting trusted_proxies"),
        (["--allowed-origins", "example.org"], "like https://example.org"),
        (["--max-open", "x"], "is not a valid int"),
        (["--port", "70000"], "70000 is not in the range"),
        (["--nothing"], "No such option"),
    ],
)
def test_bad_settings_are_refused(capsys, options, words):
    assert main(["serve", *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("DCELLS_SERVE_MAX_OPNE", "did you mean 'DCELLS_SERVE_MAX_OPEN'?"),
        ("DCELLS_SERVE_PORT", "70000 is not in the range"),
        ("dcells_serve_nothing", "is no setting"),
    ],
)
def test_bad_variables_are_refused(monkeypatch, capsys, variable, words):
    monkeypatch.setenv(variable, "70000")
    assert main(["serve"]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.isolated
def test_a_service_for_this_machine_answers_to_its_names_only():
    with serving() as (_, url):
        for host, status in (
            ("evil.example", 403),
            ("", 403),
            ("localhost:1", 200),
            ("127.0.0.1", 200),
        ):
            asked = httpx.post(f"{url}/v1/count", content=SMALL, headers={"host": host})
            assert asked.status_code == status, host


def test_address_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert "in use" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "dcells_async.service", None)
    assert main(["serve"]) == 2
    assert "dcells" in capsys.readouterr().err
