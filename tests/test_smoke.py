from dcells_async import XCC


async def test_smoke():
    assert await XCC().count("a b c\na b\nc\na c\nb") == 2
