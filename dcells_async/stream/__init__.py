"""The asynchronous side: the only folder that imports anyio."""
