"""Timer queries: how long the GPU takes for a frame. Needs a current OpenGL 3.3 core context."""

from __future__ import annotations

from collections import deque

from . import opengl as GL


class Timer:
    """Measures what the GPU takes for the calls between `begin` and `end`; the result is known some frames later."""

    def __init__(self) -> None:
        self._queries: list[int] = []
        self._asked: deque[int] = deque()
        self._running = False

    def begin(self) -> list[float]:
        """Begin to measure; returns the seconds of earlier frames that are known by now, oldest first."""
        known = []
        while self._asked and GL.glGetQueryObjectuiv(self._asked[0], GL.GL_QUERY_RESULT_AVAILABLE):
            query = self._asked.popleft()
            # 32 bits of nanoseconds hold up to four seconds; PyOpenGL lacks the type for 64 bits.
            known.append(GL.glGetQueryObjectuiv(query, GL.GL_QUERY_RESULT) * 1e-9)
            self._queries.append(query)
        if not self._queries:
            self._queries.append(GL.glGenQueries(1)[0])
        GL.glBeginQuery(GL.GL_TIME_ELAPSED, self._queries[-1])
        self._running = True
        return known

    def end(self) -> None:
        """End the measurement that `begin` began."""
        GL.glEndQuery(GL.GL_TIME_ELAPSED)
        self._asked.append(self._queries.pop())
        self._running = False

    def free(self) -> None:
        if self._running:
            self.end()
        queries = [*self._queries, *self._asked]
        if queries:
            GL.glDeleteQueries(len(queries), queries)
        self._queries.clear()
        self._asked.clear()
