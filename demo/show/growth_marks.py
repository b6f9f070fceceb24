"""What is seen of the work on a world while it grows: rings of cuts, particles on their way down, outlines of rhombi."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry.forms import swollen
from ..maths.easing import ease
from ..maths.vectors import lengths

if TYPE_CHECKING:
    from ..render.glow import GlowBatch
    from .frame import Frame
    from .props import Props

# A cut's ring glows for this long, from a little before the cut has its full height.
RING_SECONDS, RING_LEAD_S = 1.7, 0.35
RING_COLOUR = (1.0, 0.72, 0.32, 0.0)
# The rain comes within this many seconds, and begins to end this many before the birth's end.
RAIN_COLOUR, RAIN_COMES_S, RAIN_GOES_S = np.array([1.0, 0.60, 0.24, 0.55]), 0.6, 1.6
OUTLINE_COLOUR = (1.0, 0.85, 0.55)


def add_growth_marks(batch: GlowBatch, frame: Frame, props: Props, height: int) -> None:
    """Put the marks of a frame into the batch; `height`: of the picture in pixels."""
    # Any moment can be drawn alone: which rings glow follows from the time, not from earlier frames.
    ages = frame.t - frame.prepared.ring_times + RING_LEAD_S
    # A plane that passes by the planet has no ring.
    meets = np.abs(frame.prepared.marks.rings[:, 3]) < 1.0
    glowing = np.flatnonzero((ages >= 0.0) & (ages < RING_SECONDS) & meets)
    if glowing.size:
        _add_rings(batch, frame, props, glowing, ages[glowing] / RING_SECONDS, height)
    if not frame.prepared.ground.atlas.spherical:
        _add_rain(batch, frame, props, height)
    # A map draws its own.
    if frame.prepared.outline is not None and frame.map is None:
        _add_outline(batch, frame, frame.prepared.outline, height)


def _add_rings(batch: GlowBatch, frame: Frame, props: Props, numbers: np.ndarray, ages: np.ndarray, height: int) -> None:
    """The cuts `numbers` (k,), at `ages` (k,) in 0..1 of the time for which they glow."""
    normals, circles = (kept[numbers] for kept in props.circles)
    # As more of them glow at once, each is drawn finer.
    thin = 1.0 / (1.0 + 0.06 * (frame.prepared.marks.steps[numbers] - 1))
    centres = (frame.story.scene.size_m + _highest(frame, props)) * circles - frame.view.eye
    away = lengths(centres)[..., None]
    width = 2.6 / height * away * ((1.0 + 1.5 * ages) * (0.3 + 0.7 * thin))[:, None, None]
    colours = np.tile(RING_COLOUR, (len(ages), 1))
    colours[:, 3] = 1.1 * thin * np.minimum(ages * 8.0, 1.0) * (1.0 - ages) ** 2
    batch.ribbons(centres, normals[:, None] * width, colours)


def _highest(frame: Frame, props: Props) -> float:
    """Metres above the sea over which nothing of the land rises, and a little more."""
    low, high = (props.hanging_at(number).highest_m for number in (frame.picture_a, frame.picture_b))
    return 1.06 * (low + (high - low) * frame.mix) + 0.2 * frame.story.scene.relief_m


def _add_rain(batch: GlowBatch, frame: Frame, props: Props, height: int) -> None:
    """Particles on their way down: those of the last key picture, sunk by what has been done since, fade into those of the
    next one, which have not sunk so far yet."""
    scene, when, mix = frame.story.scene, frame.prepared.timeline, frame.mix
    shown = ease((frame.t - scene.birth[0][0]) / RAIN_COMES_S) * ease((scene.grown_s - frame.t) / RAIN_GOES_S)
    fall = frame.prepared.sinking_m * (when.step_of(frame.picture_b) - when.step_of(frame.picture_a))
    parts = (
        (frame.picture_a, fall * mix, shown * (1.0 - mix)),
        (frame.picture_b, fall * (mix - 1.0), shown * mix),
    )
    for number, sunk, strength in parts:
        points = props.hanging_at(number).points
        if not len(points) or strength <= 0.0:
            continue
        at = points[:, :3].astype(np.float64) - (0.0, sunk, 0.0) - frame.view.eye
        pixels = np.minimum(np.maximum(1.2 * points[:, 3] / lengths(at) * height, 1.5), 12.0)
        batch.points(at, RAIN_COLOUR * (1.0, 1.0, 1.0, strength), pixels)


def _add_outline(batch: GlowBatch, frame: Frame, outline: np.ndarray, height: int) -> None:
    """Rhombi as dotted lines, while the cones stand and a little longer; `outline`: as in `Prepared`."""
    scene = frame.story.scene
    strength = min(frame.t - 0.5, 1.0, 0.4 * (scene.cone[1] + 3.0 - frame.t)) if scene.cone else 0.0
    if strength > 0.0:
        at = swollen(outline, frame.moment.swell) * (scene.size_m + 1.3 * scene.relief_m)
        colour = np.array([*OUTLINE_COLOUR, 0.5 * strength])
        batch.points(at - frame.view.eye, colour, max(1.5, height / 300.0))
