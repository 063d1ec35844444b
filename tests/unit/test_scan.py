"""The scanner by itself, in every variant: tables, slices, stops and growth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from dcells_async.kernels import scan as installed

TEXT = b"| n\na 2|b 0:3|c | x y\r\na x:A b |7\n\n y:A x c\nx:B\na y:B x:\xc3\xa9 |-1 |2"

PAUSED, DONE, STOPPED, FAULTY = 0, 2, 3, 5


def tables(scanner):
    return [
        *map(list, scanner.take()),
        list(scanner.bounds()),
        list(scanner.dropped()),
        list(scanner.items.spans()),
        list(scanner.colors.spans()),
        (scanner.n_primary, scanner.n_options, scanner.n_entries),
    ]


def place(scanner):
    return (
        installed.FAULTS[scanner.fault],
        scanner.fault_start,
        scanner.fault_end,
        scanner.line,
        scanner.line_start,
    )


def scanned(module, text, budget=1 << 60):
    """Scan to the end; tables, or the fault and where it is."""
    scanner = module.DlxScanner(text)
    while (status := scanner.advance(budget)) == PAUSED:
        pass
    return tables(scanner) if status == DONE else place(scanner)


def test_tables_are_as_documented(variant):
    items, colors, starts, lines, prices, bounds, *rest = scanned(variant("scan"), TEXT)
    dropped, names, tints, counts = rest
    assert items == [0, 3, 1, 4, 3, 2, 3, 0, 4, 3]
    assert colors == [0, 1, 0, 1, 0, 0, 2, 0, 2, 3]
    assert starts == [0, 3, 6, 7, 10]
    assert lines == [3, 5, 6, 7]
    assert prices == [7, 0, 0, 1]
    assert bounds == [(1, 1), (2, 2), (0, 3), (1, 1), (1, 1)]
    assert [TEXT[a:b] for a, b in names] == [b"a", b"b", b"c", b"x", b"y"]
    assert [TEXT[a:b] for a, b in tints] == [b"A", b"B", b"\xc3\xa9"]
    assert counts == (3, 4, 10)
    assert dropped == [3]


def test_text_without_colors_or_prices_has_no_such_tables(variant):
    items, colors, starts, lines, prices, *_ = scanned(variant("scan"), b"a b\na\nb a")
    assert (items, colors, starts, lines, prices) == (
        [0, 1, 0],
        [],
        [0, 1, 3],
        [2, 3],
        [],
    )


def test_text_of_the_item_line_alone_has_one_start(variant):
    items, colors, starts, lines, *_ = scanned(variant("scan"), b"a")
    assert (items, colors, starts, lines) == ([], [], [0], [])


@pytest.mark.parametrize("budget", [1, 2, 3, 7, 50])
def test_slices_of_any_size_give_the_same_tables(variant, budget):
    assert scanned(variant("scan"), TEXT, budget) == scanned(variant("scan"), TEXT)


ROUGH = st.lists(
    st.sampled_from(
        [
            *map(bytes, zip(b"abx \n|:1-\r\0\xff")),
            *(b"\xc3\xa9", b"a b | x\n", b"\na b x:1", b"2|c ", b" |5"),
        ]
    ),
    max_size=25,
).map(b"".join)


@given(text=ROUGH, budget=st.integers(1, 20))
@examples(400)
def test_variants_agree_on_any_text_and_any_slices(variant, text, budget):
    assert scanned(variant("scan"), text, budget) == scanned(installed, text)


@pytest.mark.parametrize("after", range(0, 90, 7))
def test_stopped_scan_ends_and_stays_ended(variant, after):
    scanner = variant("scan").DlxScanner(TEXT)
    for _ in range(after):
        assert scanner.advance(1) == PAUSED
    scanner.stop()
    assert scanner.advance(1 << 60) == STOPPED
    assert scanner.advance(1 << 60) == STOPPED


def test_bytes_and_bytearray_are_scanned_alike(variant):
    assert scanned(variant("scan"), bytearray(TEXT)) == scanned(variant("scan"), TEXT)


@pytest.mark.parametrize("n", [63, 64, 65, 128, 129, 3000])
def test_tables_grow_with_the_names_and_colors(variant, n):
    rng = random.Random(n)
    order = rng.sample(range(n), n)
    names = [b"n%d" % k for k in order]
    lines = [b" ".join([*names, b"|", b"x"])]
    lines += [b"n%d x:c%d" % (k, k % (n - 1)) for k in range(n)]
    items, colors, *_ = scanned(variant("scan"), b"\n".join(lines))
    where = {k: at for at, k in enumerate(order)}
    assert items[::2] == [where[k] for k in range(n)]
    assert colors[1::2] == [k % (n - 1) + 1 for k in range(n)]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 129, 2000])
def test_options_without_primary_items_are_listed(variant, n):
    lines = [b"a | x", *([b"a x", b"x"] * n), b"a", b" x"]
    scanner = variant("scan").DlxScanner(b"\n".join(lines))
    assert scanner.advance(1 << 60) == DONE
    assert list(scanner.dropped()) == [*range(2, 2 * n + 1, 2), 2 * n + 2]
    assert scanner.n_bare == n + 1


def test_names_that_differ_in_one_byte_are_told_apart(variant):
    names = [bytes([33 + a, 33 + b]) for a in range(25) for b in range(25)]
    names = [name for name in names if not set(name) & set(b":|")]
    line = b" ".join(names)
    items, *_ = scanned(variant("scan"), line + b"\n" + line)
    assert items == list(range(len(names)))


def test_names_where_one_starts_another_are_told_apart(variant):
    names = [b"a" * k for k in range(1, 200)]
    line = b" ".join(names)
    items, *_ = scanned(variant("scan"), line + b"\n" + line)
    assert items == list(range(len(names)))


def fnv_1a(name, code):
    for byte in name:
        code = (code ^ byte) * 16777619 % 2**32
    return code


def test_names_of_one_hash_code_are_told_apart(variant, monkeypatch):
    seed = bytes.fromhex("811c9dc5")
    one, two = b"declinate", b"macallums"
    code = int.from_bytes(seed, "big")
    assert fnv_1a(one, code) == fnv_1a(two, code)
    monkeypatch.setattr("os.urandom", lambda _: seed)
    items, colors, *_ = scanned(
        variant("scan"),
        b"%b %b | x y\n%b %b x:%b y:%b" % (one, two, two, one, one, two),
    )
    assert (items, colors) == ([1, 0, 2, 3], [0, 0, 1, 2])


@pytest.mark.parametrize(
    ("text", "fault", "start", "end"),
    [
        (b"", "no items", 0, 0),
        (b"a b\nb c", "unknown item", 6, 7),
        (b"a b\nb\xff c", "not utf8", 5, 6),
        (b"a b\nb \0", "nul", 6, 7),
        (b"a 7:x|b\n", "no number", 4, 5),
        (b"a | x\nx:", "empty color", 6, 8),
    ],
)
def test_fault_is_told_by_its_bytes(variant, text, fault, start, end):
    for budget in (1, 1 << 60):
        assert scanned(variant("scan"), text, budget)[:3] == (fault, start, end)


def test_fault_before_broken_bytes_comes_first(variant):
    assert scanned(variant("scan"), b"a b\nz \xff")[:2] == ("unknown item", 4)
    assert scanned(variant("scan"), b"a b\na\xff z")[:2] == ("not utf8", 5)
