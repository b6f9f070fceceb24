"""Parameters that depend on each other: what each of them takes alone may still be impossible together.

A function of this module is named by a row of GENERATORS and takes the complete values of that generator. It raises
ParameterError, which names the parameters that do not go together. Importing this module imports neither numba nor numpy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .parameters import ParameterError, Value, is_printed

# The most levels of a planet's global and local mesh together: 4 x 4097^2 heights.
MOST_LEVELS = 12
# The same of a planet that is mapped: it is never held as a whole.
MOST_MAPPED = 13
# A region of a planet has at most so many points of the local mesh, with BESIDE rhombi around it in all each way.
MOST_REGION, BESIDE, EARTH_RADIUS_KM = 2.5e8, 5, 6371.0
# Heights between bounds that are not so far apart, in thousandths of a radius, would be a plain.
LEAST_RANGE = 1e-3
# Beyond this frequency a float32 coordinate has too few digits left for smooth noise.
MOST_FREQUENCY = 65536.0
# A rain is refused of which fewer particles than this may be expected to land, or a smaller part of them.
FEWEST_LANDINGS, LEAST_LANDING = 0.1, 1e-4


def simplex(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where the last octave is too fine, and where the bounds leave no heights between them."""
    low, high = float(values["low"]), float(values["high"])
    if high - low < LEAST_RANGE:
        raise ParameterError(f"low={low:g} and high={high:g} are not possible together: all heights would be {high:g}")
    octaves, scale, lacunarity = int(values["octaves"]), float(values["scale"]), float(values["lacunarity"])
    finest = scale * lacunarity ** (octaves - 1)
    if finest > MOST_FREQUENCY:
        raise ParameterError(
            f"octaves={octaves}, scale={scale:g} and lacunarity={lacunarity:g} are not possible together: the last octave"
            f" would have a frequency of {finest:.3g}, it takes at most {MOST_FREQUENCY:g}: lower one of the three"
        )


def cuts(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where the full cure is to be as printed."""
    if values["offset"] == "full" and is_printed(values):
        raise ParameterError(
            "offset=full and method=as-printed are not possible together: the article has offset=off and offset=on"
        )


def planet(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where both meshes of a double cone together are too fine."""
    _check_levels(values, MOST_LEVELS)


def mapped(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where both meshes of a planet together are too fine for its map."""
    _check_levels(values, MOST_MAPPED)


def _check_levels(values: Mapping[str, Value], most: int) -> None:
    gn, ln = int(values["gn"]), int(values["ln"])
    if gn + ln > most:
        raise ParameterError(f"gn={gn} with ln={ln} is too fine: gn + ln goes up to {most}, so take ln={most - gn}")


def region(values: Mapping[str, Value], km: float) -> None:
    """Raises ParameterError where a region `km` wide of a planet on a double cone has too many points."""
    gn, ln = int(values["gn"]), int(values["ln"])
    step_km = 0.5 * math.pi * EARTH_RADIUS_KM / 2 ** (gn + ln)
    side = min(km / step_km + BESIDE * 2**ln, 4.0 * 2 ** (gn + ln))
    if side * side > MOST_REGION:
        raise ParameterError(
            f"a region of {km:g} km is too large for gn={gn} with ln={ln}: it would have {side * side:.1g} points, and"
            f" {MOST_REGION:.1g} is the most: take fewer km or a smaller ln"
        )


def particles(values: Mapping[str, Value]) -> None:
    """Raises ParameterError for a rain that need not end, and for one of which nothing would land."""
    up, down = int(values["up"]), int(values["down"])
    if up + down > 100:
        raise ParameterError(f"up={up} and down={down} are not possible together: they may add up to 100 at most")
    if down <= up:
        raise ParameterError(
            f"down={down} is not possible with up={up}: particles must fall more often than rise, or they never land"
        )
    if values["start"] == "image" and not values["file"]:
        raise ParameterError("start=image is not possible without a picture: set file=PATH as well")
    _check_use(values)
    _check_room(values)


def _check_use(values: Mapping[str, Value]) -> None:
    """Raises ParameterError for a parameter that another one leaves nothing to do."""
    own = any(name.startswith("window.") for name in values)
    if own and values["preset"] != "continent":
        raise ParameterError(
            f"preset={values['preset']} and windows of your own are not possible together: leave one of them out"
        )
    if own:
        # Brings numpy along, which nothing else here needs.
        from .particles.windows import arranged, check_over_box, own_windows

        check_over_box(arranged(own_windows(values), values), values)
    magnetism, breakup, viscosity = (float(values[name]) for name in ("magnetism", "breakup", "viscosity"))
    if magnetism and not viscosity:
        raise ParameterError(f"magnetism={magnetism:g} does nothing with viscosity=0, with which nothing sticks: raise it")
    if breakup and not magnetism:
        raise ParameterError(f"breakup={breakup:g} does nothing with magnetism=0, with which nothing merges: raise it")
    if breakup and viscosity == 1.0:
        raise ParameterError(f"breakup={breakup:g} does nothing with viscosity=1, with which nothing parts: lower it")


def _check_room(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where particles meet the walls of their box before they are down."""
    cells, box, step = int(values["cells"]), float(values["box"]), int(values["step"])
    room = cells * (1.0 + 2.0 * box)
    if room < 1.0:
        raise ParameterError(
            f"box={box:g} and cells={cells} are not possible together: there is less than a cell between the walls:"
            f" widen the box"
        )
    reach = 0.5 * float(values["size"])
    for name in ("x", "z"):
        middle = float(values[name])
        if not -box - reach <= middle <= 1.0 + box + reach:
            raise ParameterError(
                f"box={box:g} and {name}={middle:g} are not possible together: the windows stand outside the walls:"
                f" widen the box, or move them to {name}=0.5"
            )
    landing = _landing(values, room)
    if landing < max(FEWEST_LANDINGS / int(values["particles"]), LEAST_LANDING):
        raise ParameterError(
            f"step={step}, box={box:g} and cells={cells} are not possible together: about {landing:.1g} of the particles"
            f" would land before they meet a wall: take a smaller step, a wider box or a lower height"
        )


def _landing(values: Mapping[str, Value], room: float) -> float:
    """About which part of the particles comes down between walls that are `room` cells apart, to within a factor of three.

    The chance to meet no wall in a tick tends to the largest eigenvalue of a walk between absorbing walls, along each axis.
    With z for both axes together, the part that lands is the generating function of the ticks of a fall, at z.
    """
    sites = max((room + 1.0) / int(values["step"]), 1.0)
    sideways, up, down = (int(values[name]) / 100.0 for name in ("sideways", "up", "down"))
    along = 1.0 - 2.0 * sideways * (1.0 - math.cos(math.pi / (sites + 1.0)))
    z = along * along
    rest = 1.0 - (1.0 - up - down) * z
    # The root of g = z (down + stay g + up g^2), in a form that holds for up = 0 too.
    sinks = 2.0 * down * z / (rest + math.sqrt(max(rest * rest - 4.0 * up * down * z * z, 0.0)))
    lift = max(round(float(values["height"]) * int(values["cells"]) / int(values["fall"])), 1)
    inside = min((room + 1.0) / (int(values["cells"]) * min(float(values["size"]), 1.0)), 1.0)
    return sinks**lift * inside * inside


def carving(values: Mapping[str, Value]) -> None:
    """Raises ParameterError where a world as printed is to be carved."""
    if values.get("carve") and values.get("method") == "as-printed":
        raise ParameterError(
            "carve and method=as-printed are not possible together: no article carves its land: leave one of them out"
        )
