"""From light to picture: exposure, film curve, melt, dither, and the enlarging of small pictures, which are sharpened.

Light and depth take three times the bytes of a picture, so there is room for those of one scene only. Where two scenes melt
into each other, the first is developed, and kept as a picture, before the second is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import screen_triangle
from .gl.programs import Program, Variants
from .gl.targets import Canvas, Target
from .gl.textures import RGB10_A2, RGBA8, Texture
from .shader_switches import DevelopSwitches
from .uniform_blocks import DEVELOP

# Each place melts at its own moment. Before the first share of a melt nothing is seen of what comes, and after the second
# nothing of what goes, which then need not be drawn.
COMES, GONE = 0.10, 0.87
# Strength of the unsharp mask on small pictures.
SHARPENED = 1.0


@dataclass(frozen=True)
class LightPicture:
    """The light of a scene, and how to expose it. `linear`: colours are shown as they are, without the film curve."""

    target: Target
    exposure: float = 1.0
    linear: bool = False


class DevelopPass:
    """The last pass, into the host's framebuffer."""

    def __init__(self, sharpens: bool = False) -> None:
        """`sharpens`: whether scenes that are drawn smaller than they might be are sharpened: those of a live show."""
        self._sharpens = sharpens
        self.programs: Variants[DevelopSwitches] = Variants()
        self._triangle = screen_triangle()
        self._kept: Target | None = None
        self._small: Target | None = None
        self._enlarging = Program("screen.vert", "enlarge.frag")

    def keep(self, scene: LightPicture, noise: Texture) -> None:
        """Develop and keep a scene that is to melt away, before the next scene is drawn."""
        light = scene.target
        if self._kept is None or (self._kept.room, self._kept.scale) != (light.room, light.scale):
            self.forget()
            # Ten bits of square roots: finer than what is shown, which is dithered once, when all is done.
            self._kept = Target(light.width, light.height, RGB10_A2, depth=False, scale=light.scale)
        Canvas(self._kept.canvas.framebuffer, *light.drawn).bind()
        self.paint(DevelopSwitches(keep=True, sharp=self._sharpens), scene, light, noise)

    def forget(self) -> None:
        """Free what was kept."""
        if self._kept is not None:
            self._kept.free()
            self._kept = None

    def draw(self, scene: LightPicture, melt: float | None, noise: Texture, onto: Canvas) -> None:
        """Develop a scene onto a canvas, which is bound afterwards.

        `melt`: how far what was kept has melted into the scene, 0..1; None when nothing melts. A scene of fewer pixels is
        developed as it is and then enlarged, which is much less work.
        """
        drawn = scene.target.drawn
        if drawn == (onto.width, onto.height):
            self._free_small()
            small = None
        else:
            small = self._small_one(*drawn)
        (small.canvas if small else onto).bind()
        kept = scene.target if melt is None or self._kept is None else self._kept
        switches = DevelopSwitches(melt=kept is not scene.target, sharp=self._sharpens)
        self.paint(switches, scene, kept, noise, melt or 0.0)
        if small:
            self._enlarge(small, onto)

    def _small_one(self, width: int, height: int) -> Target:
        if self._small is None or self._small.room != (width, height):
            self._free_small()
            self._small = Target(width, height, RGBA8, depth=False)
        return self._small

    def _enlarge(self, small: Target, onto: Canvas) -> None:
        onto.bind()
        self._enlarging.use(small=small.colour.bind())
        gl_context.drawing()
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def _free_small(self) -> None:
        if self._small is not None:
            self._small.free()
            self._small = None

    def paint(self, switches: DevelopSwitches, scene: LightPicture, kept: Target, noise: Texture, melt: float = 0.0) -> None:
        """Develop a scene, or `kept` on its way into it, onto whatever is bound. `melt`: how far it is, 0..1."""
        values = {
            "exposure": scene.exposure,
            "linear": scene.linear,
            "extent": _extent(kept),
            "melt": melt,
            "sharpened": SHARPENED if scene.target.scale < 1.0 else 0.0,
            "last": (scene.target.drawn[0] - 1, scene.target.drawn[1] - 1),
        }
        uniform_buffer.fill(DEVELOP, values)
        units = {"scene": scene.target.colour.bind(), "kept": kept.colour.bind(), "noise": noise.bind()}
        self.programs.get(switches).use(**units)
        gl_context.drawing()
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def free(self) -> None:
        self.forget()
        for thing in (self.programs, self._enlarging, self._triangle, self._small):
            if thing is not None:
                thing.free()


def _extent(target: Target) -> tuple[float, float, float, float]:
    """The drawn share of a target in texture coordinates, and the last one that no undrawn pixel bleeds into."""
    (w, h), (width, height) = target.drawn, target.room
    return w / width, h / height, (w - 0.5) / width, (h - 0.5) / height
