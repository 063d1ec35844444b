"""The DLX format read the obvious way, a line at a time, to compare with."""

from __future__ import annotations

import re
from typing import NamedTuple

TOKEN = re.compile(r"[^ \t\v\f\r]+")
NUMBER = re.compile(r"[+-]?[0-9]+")
MOST_OFTEN = 2**31 - 1
DEAREST = 2**63 - 1


class Fault(NamedTuple):
    """Where a text is the first at fault, from 1."""

    line: int
    column: int


class Parsed(NamedTuple):
    items: list  # (name, is primary, low, high)
    options: list  # names, and (name, color) pairs
    prices: list
    lines: list


def parse(text):
    """Give what a text says, or the `Fault` that it has."""
    parsed = Parsed([], [], [], [])
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        tokens = [(match.start() + 1, match.group()) for match in TOKEN.finditer(line)]
        if not tokens or tokens[0][1].startswith("|"):
            continue
        try:
            if not parsed.items:
                parsed.items.extend(_items(tokens))
            else:
                option, price = _option(tokens, parsed.items)
                parsed.options.append(option)
                parsed.prices.append(price)
                parsed.lines.append(number)
        except _FaultError as error:
            return Fault(number, error.column)
    if not parsed.items:
        return Fault(len(lines), len(lines[-1]) + 1)
    return parsed


class _FaultError(Exception):
    def __init__(self, column):
        super().__init__(column)
        self.column = column


def _items(tokens):
    items = []
    is_primary = True
    for column, token in tokens:
        if token == "|":
            if not is_primary:
                raise _FaultError(column)
            is_primary = False
            continue
        low, high, name = 1, 1, token
        if "|" in token:
            if not is_primary:
                raise _FaultError(column)
            bounds, _, name = token.partition("|")
            low, high = _bounds(bounds, column)
        name_column = column + len(token) - len(name)
        if not name:
            raise _FaultError(column)
        for at, letter in enumerate(name):
            if letter in ":|":
                raise _FaultError(name_column + at)
        if any(name == other for other, *_ in items):
            raise _FaultError(name_column)
        items.append((name, is_primary, low, high))
    return items


def _bounds(bounds, column):
    low, colon, high = bounds.partition(":")
    if not colon:
        high = low
    low = _bound(low, column)
    high = _bound(high, column + len(bounds) - len(high))
    if high == 0 or low > high:
        raise _FaultError(column)
    return low, high


def _bound(number, column):
    if not NUMBER.fullmatch(number) or not 0 <= int(number) <= MOST_OFTEN:
        raise _FaultError(column)
    return int(number)


def _option(tokens, items):
    primary = {name: is_primary for name, is_primary, *_ in items}
    option = []
    seen = set()
    price = 0
    for column, token in tokens:
        if token.startswith("|"):
            if not NUMBER.fullmatch(token[1:]) or abs(int(token[1:])) > DEAREST:
                raise _FaultError(column)
            price += int(token[1:])
            if abs(price) > DEAREST:
                raise _FaultError(column)
            continue
        name, colon, color = token.partition(":")
        if name not in primary or name in seen:
            raise _FaultError(column)
        if colon and (primary[name] or not color):
            raise _FaultError(column)
        seen.add(name)
        option.append((name, color) if colon else name)
    return option, price
