# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Numbers for names: a hash table whose keys are stretches of a text.

Open addressing with linear probing, at most half full. A name is never copied:
the table holds where it starts and how long it is.

- ``slots[h]``: the number of the name in slot h, plus one; 0 if it is free.
- ``starts[i], lengths[i], hashes[i]``: where name i stands, and its hash code.

Hash codes start from a seed of each table's own, so that nobody can prepare a
text whose names all collide; the numbers given do not depend on it.
"""

from __future__ import annotations

import os
from array import array

import cython

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SMALLEST = 64

LOW_32_BITS = 0xFFFFFFFF
FNV_PRIME = 16777619
MIXER = 0x2C1B3C6D


@cython.cclass
class NameTable:
    """The names met so far in a text, numbered from 0 in order of appearance.

    Parameters
    ----------
    text : bytes or bytearray
        The text that all positions refer to.
    """

    def __init__(self, text: bytes | bytearray) -> None:
        self.text = text
        self.count = 0
        self.seed = int.from_bytes(os.urandom(4), "big")
        self.slots = array("i", bytes(8 * _SMALLEST))
        self.lengths = array("i", bytes(4 * _SMALLEST))
        self.hashes = array("I", bytes(4 * _SMALLEST))
        self.starts = array("q", bytes(8 * _SMALLEST))

    def grow(self) -> None:
        """Double the table; whoever adds asks first whether it `is_full`."""
        self.lengths = array("i", bytes(self.lengths) * 2)
        self.hashes = array("I", bytes(self.hashes) * 2)
        self.starts = array("q", bytes(self.starts) * 2)
        self.slots = array("i", bytes(8 * len(self.lengths)))
        with cython.nogil:
            self.rehash()

    def capacity(self) -> int:
        """Give how many names fit before the table has to grow."""
        return len(self.lengths)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Give start and end of each name, in order of number."""
        for i in range(self.count):
            yield self.starts[i], self.starts[i] + self.lengths[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_full(self) -> cython.bint:
        return self.count == len(self.lengths)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, start: cython.longlong, end: cython.longlong) -> cython.int:
        """Give the number of a name, -1 if there is none such."""
        length: cython.int = end - start
        slot: cython.int = self.probe(start, length, self.hash_of(start, end))
        return self.slots[slot] - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, start: cython.longlong, end: cython.longlong) -> cython.int:
        """Give the number of a name, a new one if need be; the table is not full."""
        length: cython.int = end - start
        code: cython.uint = self.hash_of(start, end)
        slot: cython.int = self.probe(start, length, code)
        if self.slots[slot] == 0:
            self.starts[self.count] = start
            self.lengths[self.count] = length
            self.hashes[self.count] = code
            self.count += 1
            self.slots[slot] = self.count
        return self.slots[slot] - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hash_of(self, start: cython.longlong, end: cython.longlong) -> cython.uint:
        """FNV-1a with a seed, in arithmetic that never exceeds 64 bits."""
        at: cython.longlong
        code: cython.ulonglong = self.seed
        for at in range(start, end):
            code = ((code ^ self.text[at]) * FNV_PRIME) & LOW_32_BITS
        # Linear probing lives by the low bits: mix the high ones in.
        code = (code ^ (code >> 15)) * MIXER & LOW_32_BITS
        return code ^ (code >> 12)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def probe(
        self, start: cython.longlong, length: cython.int, code: cython.uint
    ) -> cython.int:
        """Find the slot of a name, or the free one where it would go."""
        mask: cython.uint = len(self.slots) - 1
        slot: cython.uint = code & mask
        i: cython.int
        k: cython.int
        other: cython.longlong
        while self.slots[slot] != 0:
            i = self.slots[slot] - 1
            if self.hashes[i] == code and self.lengths[i] == length:
                other = self.starts[i]
                k = 0
                while k < length and self.text[start + k] == self.text[other + k]:
                    k += 1
                if k == length:
                    break
            slot = (slot + 1) & mask
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rehash(self) -> cython.void:
        i: cython.int
        mask: cython.uint = len(self.slots) - 1
        slot: cython.uint
        for i in range(self.count):
            slot = self.hashes[i] & mask
            while self.slots[slot] != 0:
                slot = (slot + 1) & mask
            self.slots[slot] = i + 1
