"""From light to picture: exposure, film curve, melt, upscaling, dither."""

from __future__ import annotations

from dataclasses import dataclass

from OpenGL import GL

from demo.render import gpu, programs, state


@dataclass(frozen=True)
class Developed:
    """A drawn scene and how to expose it; `linear` shows colours as they are."""

    target: gpu.Target
    exposure: float = 1.0
    linear: bool = False


class Post:
    """The last pass, into the host's framebuffer."""

    def __init__(self) -> None:
        self._programs = programs.Variants("screen.vert", "post.frag")
        self._triangle = gpu.screen_triangle()
        self._small: gpu.Target | None = None

    def draw(self, scene: Developed, following: Developed | None, melt: float, noise: gpu.Texture, onto: gpu.Canvas) -> None:
        """Develop `scene` onto a canvas, melted by `melt` (0..1) into `following`; both are drawn at one scale.

        Pictures of fewer pixels are developed as they are and then enlarged: that is bytes to bytes, and so much less work.
        Leaves the canvas bound.
        """
        drawn = scene.target.drawn
        if drawn == (onto.width, onto.height):
            onto.bind()
            self._develop(scene, following, melt, noise)
            return
        small = self._small_one(*drawn)
        small.bind()
        self._develop(scene, following, melt, noise)
        gpu.enlarge(small, onto)

    def _small_one(self, width: int, height: int) -> gpu.Target:
        if self._small is None or (self._small.width, self._small.height) != (width, height):
            if self._small is not None:
                self._small.free()
            self._small = gpu.Target(width, height, gpu.RGBA8[0], depth=False)
        return self._small

    def _develop(self, scene: Developed, following: Developed | None, melt: float, noise: gpu.Texture) -> None:
        other = following or scene
        program = self._programs.get(MELT=following is not None)
        program.use(
            scene=scene.target.colour.bind(),
            next=other.target.colour.bind(),
            noise=noise.bind(),
            melt=melt,
            extent=_extent(scene.target),
            extent_next=_extent(other.target),
            linear=(scene.linear, other.linear),
            exposure=(scene.exposure, other.exposure),
            right=(1, 0, 0),
            up=(0, 1, 0),
            forward=(0, 0, -1),
        )
        state.drawing()
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def free(self) -> None:
        for thing in (self._programs, self._triangle, self._small):
            if thing is not None:
                thing.free()


def _extent(target: gpu.Target) -> tuple[float, float, float, float]:
    """The drawn share of a target in texture coordinates, and the last one that no undrawn pixel bleeds into."""
    (w, h), width, height = target.drawn, target.width, target.height
    return w / width, h / height, (w - 0.5) / width, (h - 0.5) / height
