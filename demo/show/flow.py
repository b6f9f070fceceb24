"""Flow: one world on its way into another: land, air, light, colours, and the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..flight.camera import Pose, blend, facing
from ..maths.easing import ease
from ..maths.vectors import cross, length, slerp
from ..tables.looks import NATURAL, Look
from .frame import Frame, sunk_m, world_of, world_view

if TYPE_CHECKING:
    from ..geometry.frame_state import Moment
    from ..geometry.view import View
    from ..scenes.world import World


@dataclass(frozen=True)
class Flow:
    """A picture of one world on its way into another.

    `old`, `new`: the frames of both, the new one at its start. `share`: 0..1, of the way. `world`: the one between them. The
    rest as in `Frame`.
    """

    old: Frame
    new: Frame
    share: float
    world: World
    view: View
    stars: float
    moment: Moment
    look: Look
    exposure: float

    @property
    def natural(self) -> bool:
        """Whether the worlds are drawn in their own colours and light."""
        return self.look.name == NATURAL


def flow_of(old: Frame, new: Frame, melt: float) -> Flow:
    """The flow from the frame of one story to that of another. `melt`: 0..1, of the time that it takes.

    The heights of both must have the same atlas and samples, and the frames the same look and aspect.
    """
    w = ease(melt)
    before, after = (world_of(frame.story.scene, frame.prepared, frame.t) for frame in (old, new))
    world = before.towards(after, w)
    pose = pose_between(old.pose, new.pose, world.size_m / before.size_m, world.size_m / after.size_m, melt, world)
    height_m = float(old.prepared.ground.sampled(pose.position[None] * (before.size_m / world.size_m))[0])
    view, stars = world_view(world, pose, old.part, max(height_m, 0.0) * (1.0 - w))
    # The eye is quicker than the light changes, or the day that comes would dazzle.
    quick = ease(1.7 * melt)
    exposure = old.exposure ** (1.0 - quick) * new.exposure**quick
    moment = replace(
        old.moment,
        mix=w,
        grown=False,
        detail=0.0,
        clouds=old.moment.clouds * max(1.0 - 1.5 * w, 0.0),
        shaded=old.moment.shaded * (1.0 - w) if world.spherical else 1.0,
        stretch=world.size_m / after.size_m,
        # The old land drowns: the new one begins as a sea.
        sunk=1.4 * world.relief_m * w * (1.0 - w) + sunk_m(new.story.scene, new.prepared, new.story.pictures) * w,
        deep=new.moment.deep * w,
        covered=(old.moment.covered[0], new.moment.covered[0]),
        # Lakes run dry before the land has changed much.
        filled=old.moment.filled * max(1.0 - 5.0 * w, 0.0),
    )
    return Flow(old, new, w, world, view, stars, moment, old.look, exposure)


def mixed(a: dict, b: dict, share: float) -> dict:
    """Uniforms between two sets of them; what is whole changes in the middle."""

    def between(x: Any, y: Any) -> Any:
        if isinstance(x, (bool, int)):
            return x if share < 0.5 else y
        if isinstance(x, tuple):
            return tuple(p + (q - p) * share for p, q in zip(x, y, strict=True))
        return x + (y - x) * share

    return {name: between(x, b[name]) for name, x in a.items()}


def pose_between(a: Pose, b: Pose, stretch_a: float, stretch_b: float, share: float, world: World) -> Pose:
    """The pose between two in worlds of their own sizes.

    Around a planet: away from it first, then about it, with the planet in the picture all the while. Over a terrain by way
    of the air, so that no ridge is in the way.
    """
    a = replace(a, position=a.position * stretch_a)
    b = replace(b, position=b.position * stretch_b)
    w = ease(share)
    if not world.spherical:
        pose = blend(a, b, w)
        return replace(pose, position=pose.position + np.array([0.0, 2.4 * world.relief_m * w * (1.0 - w) ** 2, 0.0]))
    away_a, away_b = length(a.position), length(b.position)
    out = ease(share / 0.75)
    direction = slerp(a.position / away_a, b.position / away_b, ease((share - 0.12) / 0.88))
    # Of the old view, of the planet's middle, and of the new view.
    old, middle, new = (1.0 - w) ** 2, 2.0 * w * (1.0 - w), w * w
    forward = old * a.forward - 5.0 * middle * direction + new * b.forward
    up = (1.0 - w) * a.up + w * b.up
    up = up + 0.2 * cross(direction, cross(a.up + 0.01 * b.up, direction)) * middle
    return facing(direction * away_a ** (1.0 - out) * away_b**out, forward, up, a.fov_y + (b.fov_y - a.fov_y) * w)
