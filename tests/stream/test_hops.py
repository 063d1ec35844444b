"""What one hop to a thread brings, and what is taken at a time."""

from __future__ import annotations

import pytest
from problems import queens
from standing import settled, until

from dcells_async import XCC
from dcells_async.stream.channel import Channel


async def rested(result, covers):
    """Wait until so many covers are found, and see that there it rests."""
    await until(lambda: result.stats.covers >= covers)
    assert await settled(lambda: result.stats.covers) == covers


async def test_search_goes_on_when_half_the_room_is_free():
    async with XCC().dance(queens(8), buffer=10) as result:
        await rested(result, 10)
        for taken in range(1, 5):
            await result.solutions.receive()
            await rested(result, 10)
            assert taken < result.solutions.much_room
        await result.solutions.receive()
        await rested(result, 15)
        numbers = [cover.numbers async for cover in result.solutions]
    assert len(numbers) == 92 - 5


async def test_who_waits_gets_a_cover_whatever_room_there_is():
    async with XCC().dance(queens(6), buffer=3) as result:
        assert len([cover async for cover in result.solutions]) == 4


async def test_what_is_at_hand_is_taken_at_once():
    channel = Channel(5)
    assert channel.at_hand(3) == []
    channel.deliver(range(5))
    assert channel.at_hand(0) == []
    assert channel.at_hand(2) == [0, 1]
    assert channel.room == 2
    channel.end(KeyError("x"))
    assert channel.at_hand(9) == [2, 3, 4]
    assert channel.at_hand(9) == []
    with pytest.raises(KeyError):
        await channel.receive()
