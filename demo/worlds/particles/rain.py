"""Rain: the emitter, box, moves and landing of one rain of particles, as the kernels take them, and its fall.

Heights and y are in units of one downward move, x and z in cells of the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..hashing import stream_key
from ..parameters import Value, is_printed
from ..shapes import check_dtype, check_shape, check_square
from .kernels import COURSE, FLYING, FREE, LISTED, STATES, STATUS, TURN, WEIGHT, X, Y, Z
from .kernels import grow as fall
from .landing_kernels import COARSE, FINE, WALL, survey
from .rain_parts import Bounds, Crowd, Emitter, Group, Landing, Moves
from .walk_tables import NO_FALLS, fall_tables, jump_of_ticks, jump_tables
from .windows import MOST_WINDOWS, Window, peak_density, window_arrays

FOOTPRINTS = ("paraboloid", "cone", "disc")
# mass=auto: about how high the highest land gets, in cells. It is low for three reasons: scenes scale heights anyway,
# steeper land catches particles at its sides and grows knobs, and over low land the last particle costs no more than the
# first.
PEAK_CELLS = 1.5
# In rounds at most this many particles are in the air, or one group. A round is this many moves, or one as printed.
MOST_IN_THE_AIR = 1 << 16
BEAT = 8
_NO_GROUND = -(1 << 30)
_STREAM = 32


@dataclass(frozen=True)
class Rain:
    """A rain of `total` particles; `emitter`, `group`, `bounds` and `crowd` change as it falls.

    `key`: uint64, of random numbers. `crowd`: None where a group is let go when all of the last one are down.
    """

    key: np.uint64
    total: int
    emitter: Emitter
    group: Group
    bounds: Bounds
    moves: Moves
    landing: Landing
    crowd: Crowd | None

    def fall(self, ground: np.ndarray, to: int) -> None:
        """Let particles fall onto `ground` float32 (n, n) until `to` have landed or died, whichever they are.

        They are a few more where the last died together or were merged.
        Raises ValueError for ground of another shape than that which the rain was made for.
        """
        self._check(ground)
        rules = self.emitter, self.group, ground, self.bounds, self.moves, self.landing
        if self.crowd:
            # Imported only by a rain that needs them, because no other needs these kernels.
            from .rounds import grow_in_rounds

            grow_in_rounds(self.key, to, self.total, *rules, self.crowd)
        else:
            fall(self.key, to, self.total, *rules)

    def in_flight(self, ground: np.ndarray, numbers: np.ndarray, flown: np.ndarray) -> np.ndarray:
        """Where single particles would be over no ground: float64 (k, 4), x, z, y and weight of those that live.

        `numbers`: int64 (k,), of the particles; `flown`: float64 (k,), how many ticks each has flown.
        """
        self._check(ground)
        # Imported when particles are first looked at, because a world that is only written needs none of these kernels.
        from .traces import trace

        near = np.where(self.bounds.near == WALL, WALL, _NO_GROUND)
        found = np.zeros((numbers.size, 4))
        rules = group_of(1), ground, self.bounds._replace(near=near), self.moves
        return found[: trace(self.key, numbers, flown, self.emitter, *rules, found)]

    def in_the_air(self, most: int) -> np.ndarray:
        """Where the particles of a crowd are: float64 (k, 4), x, z, y and weight of at most `most` of them."""
        crowd, state, keys = self.crowd, self.group.state, self.group.keys
        if crowd is None:
            raise ValueError("a rain of single groups is not in the air between two steps")
        here = crowd.air[: crowd.course[LISTED]]
        here = here[state[STATUS, here] == FLYING]
        # By its key a particle that is seen once is seen until it lands.
        shift = 64 - max(int(np.ceil(np.log2(max(len(here) / most, 1.0)))), 0)
        seen = here if shift == 64 else here[keys[here] >> np.uint64(shift) == 0]
        return state[[X, Z, Y, WEIGHT]][:, seen[:most]].T.astype(np.float64)

    def _check(self, ground: np.ndarray) -> None:
        # The walls lie equally far beyond both edges of the map.
        n = int(self.moves.box[0] + self.moves.box[1]) + 1
        check_shape("ground", ground, n, n)
        check_dtype("ground", ground, np.float32)


def rain_of(seed: int, parameters: dict[str, Value], windows: list[Window], ground: np.ndarray) -> Rain:
    """The rain before its first particle, from `windows` over `ground` float32 (n, n); `parameters` complete.

    Raises ValueError for ground of another form, and for no windows or more than MOST_WINDOWS.
    """
    cells = check_square("ground", ground) - 1
    check_dtype("ground", ground, np.float32)
    if not 0 < len(windows) <= MOST_WINDOWS:
        raise ValueError(f"a rain from {len(windows)} windows is not possible: it takes 1 to {MOST_WINDOWS}")
    unit = float(parameters["fall"])
    mass = mass_of(parameters, windows, cells + 1) / unit
    box = _box(parameters, cells, unit)
    return Rain(
        key=np.uint64(stream_key(seed, _STREAM)),
        total=int(parameters["particles"]),
        emitter=_emitter(windows, ground, max(round(float(parameters["height"]) * cells / unit), 1)),
        group=group_of(_places(parameters)),
        bounds=_bounds(ground, box),
        moves=_moves(parameters, box),
        landing=_landing(parameters, mass, unit),
        crowd=_crowd(parameters, mass),
    )


def mass_of(parameters: dict[str, Value], windows: list[Window], n: int) -> float:
    """The factor of footprints: as given, or such that land of n x n samples gets about PEAK_CELLS high."""
    if parameters["mass"] != "auto":
        return float(parameters["mass"])
    one = footprint(int(parameters["radius"]), 1.0, str(parameters["shape"]))
    even = int(parameters["particles"]) * float(one.sum()) / n**2
    return PEAK_CELLS / (even * peak_density(windows))


def footprint(radius: int, mass: float, shape: str) -> np.ndarray:
    """What one particle adds around its contact: float32 (2 radius + 1, 2 radius + 1), in cells of height.

    Listing 3: mass (r^2 - d^2) where positive. A cone and a flat disc of the same radius hold about the same volume.
    """
    line = np.arange(-radius, radius + 1)
    away2 = line[:, None] ** 2 + line[None, :] ** 2
    if shape == "paraboloid":
        height = radius * radius - away2.astype(np.float64)
    elif shape == "cone":
        height = 1.5 * radius * (radius - np.sqrt(away2))
    else:
        height = np.where(away2 < radius * radius, 0.5 * radius * radius, 0.0)
    return (mass * np.maximum(height, 0.0)).astype(np.float32)


def group_of(size: int) -> Group:
    """An empty group of `size` particles."""
    live, down = np.zeros((2, size), np.int64)
    return Group(np.zeros((STATES, size), np.int64), np.zeros(size, np.uint64), live, down, np.zeros(TURN, np.int64))


def _emitter(windows: list[Window], ground: np.ndarray, lift: int) -> Emitter:
    tops = np.full(len(windows), lift + int(np.ceil(ground.max())), np.int64)
    return Emitter(*window_arrays(windows, ground.shape[0] - 1), tops, lift)


def _box(parameters: dict[str, Value], cells: int, unit: float) -> np.ndarray:
    wall = round(float(parameters["box"]) * cells)
    return np.array([-wall, cells + wall, -wall, cells + wall, round(float(parameters["ceiling"]) * cells / unit)])


def _bounds(ground: np.ndarray, box: np.ndarray) -> Bounds:
    along = ground.shape[0] - 1 + 2 * max(-int(box[0]), 0)
    sides = np.array([(along >> shift) + 1 for shift in (FINE, COARSE)])
    tiles = np.zeros(int((sides * sides).sum()), np.int64)
    bounds = Bounds(tiles, tiles.copy(), sides)
    survey(ground, box, bounds)
    return bounds


def chances(parameters: Mapping[str, Value]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Weights of a move by -1, 0, +1 along an axis of the map, and of one down, none and one up.

    As printed they are those of Listing 1, in 1/1000: it compares a number in 0..999 with `> 250` and `< 500`, which gives
    one side 251 and the other 249.
    """
    up, down, sideways = (int(parameters[name]) for name in ("up", "down", "sideways"))
    if not is_printed(parameters):
        return (sideways, 100 - 2 * sideways, sideways), (down, 100 - up - down, up)
    west, east = 10 * sideways + 1, max(10 * sideways - 1, 0)
    sinks, rises = min(10 * down + 1, 1000), max(10 * up - 1, 0)
    return (west, 1000 - west - east, east), (sinks, 1000 - sinks - rises, rises)


def _moves(parameters: dict[str, Value], box: np.ndarray) -> Moves:
    up, down, sideways, step = (int(parameters[name]) for name in ("up", "down", "sideways", "step"))
    across, drop = (jump_tables(*weights) for weights in chances(parameters))
    # In rounds no particle moves far at once.
    falls = NO_FALLS if _in_rounds(parameters) else fall_tables(sideways, up, down, (1 << COARSE) // step)
    return Moves(box, step, across, drop, jump_of_ticks(), falls.ticks, falls.stray, falls.of_gap, falls.lid)


def _landing(parameters: dict[str, Value], mass: float, unit: float) -> Landing:
    radius = int(parameters["radius"])
    one = footprint(radius, mass, str(parameters["shape"]))
    return Landing(radius, one, float(parameters["viscosity"]), parameters["slide"] == "listing", unit)


def _in_rounds(parameters: Mapping[str, Value]) -> bool:
    return parameters["rounds"] == "on" or int(parameters["magnetism"]) > 0


def _places(parameters: Mapping[str, Value]) -> int:
    """How many particles there may be in the air."""
    group = int(parameters["group"])
    return min(max(MOST_IN_THE_AIR, group), int(parameters["particles"])) if _in_rounds(parameters) else group


def _crowd(parameters: dict[str, Value], mass: float) -> Crowd | None:
    if not _in_rounds(parameters):
        return None
    size = _places(parameters)
    course = np.zeros(COURSE, np.int64)
    course[FREE] = size
    return Crowd(
        together=min(int(parameters["group"]), size),
        beat=1 if is_printed(parameters) else BEAT,
        reach=int(parameters["magnetism"]),
        breakup=float(parameters["breakup"]),
        mass=mass,
        shape=FOOTPRINTS.index(str(parameters["shape"])),
        air=np.zeros(size, np.int64),
        free=np.arange(size)[::-1].copy(),
        course=course,
        heads=np.zeros(1 << (2 * size).bit_length(), np.int64),
        nexts=np.zeros(size, np.int64),
        sums=np.zeros((4, size), np.int64),
    )
