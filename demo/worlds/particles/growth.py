"""Particle deposition (after K. Warszawski, SDJ 12/2007): a rain of particles that piles up into land.

The article's thirteen steps: fill the map; place the emitter, its window and the box; set the particles' rules; emit, singly
or in groups; move; a particle that leaves the box dies; test for contact; slide; pile up; die; until all are emitted and all
have died. Cured: the move probabilities are those of the listing's comments (20 % up, 30 % stay, 50 % down), not of its
code, and a drift that is not downwards is refused, since the run need not end; a low viscosity slides, as the text has it;
slides go the steepest way instead of the first that a scan from one corner meets. `slide=listing` keeps Listing 2.

Heights at step k are the map normalised to 0..1, raised to `smoothing`, and scaled by the share of work done, so that
the land is seen to rise; at the last step the scale is 1.
"""

from __future__ import annotations

import numpy as np

from ..atlas import PLANE
from ..growth import RELIEF, Growth, Marks
from ..hashing import stream_key, uniforms
from ..heightmap import squared
from ..land_share import level_by_rank
from ..parameters import ParameterError, Value
from .emitters import Window, arrange, peak_density, preset_windows, window_arrays
from .kernels import COARSE, FINE, STATES, WALL, normalise, survey
from .kernels import grow as rain
from .walk_tables import fall_tables, jump_of_ticks, jump_tables

FOOTPRINTS = ("paraboloid", "cone", "disc")
# Share of full height at which a start map that is not flat is shown before the first particle.
START_SHARE = 0.25
# Sea level of land=coast: just above the start level, in the unit of the finished heights.
COAST = 0.03
# At most so many particles are shown in flight.
MOST_MARKS = 1500
_NO_GROUND = -(1 << 30)
# mass=auto: about how high the highest land gets, in cells. So low, because shown it is as high as the scene wants, steeper
# land catches particles at its sides and grows knobs, and over low land the last particle costs what the first one does.
PEAK_CELLS = 1.5
_STREAM_PARTICLES, _STREAM_START = 32, 33
_CURVE = 4096


def grow(seed: int, parameters: dict[str, Value], start: np.ndarray | None = None) -> Growth:
    """Particles at step 0; `parameters` complete as in the table of generators; `start`: the picture of start=image."""
    return Particles(seed, parameters, start=start)


def check_drift(parameters: dict[str, Value]) -> None:
    """ParameterError unless the move probabilities are ones and the drift is downwards."""
    up, down, sideways = (int(parameters[name]) for name in ("up", "down", "sideways"))
    if up + down > 100:
        raise ParameterError(f"up={up} and down={down} are not possible together: they may add up to 100 at most")
    if down <= up:
        raise ParameterError(
            f"down={down} is not possible with up={up}: particles must fall more often than rise, or they never land"
        )
    if 2 * sideways > 100:
        raise ParameterError(f"sideways={sideways} is not possible: it is the chance of either way, 50 at most")


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


class Particles(Growth):
    """One rain. `windows` overrides those of the preset; `start` float (n, n) is the start map, 0..1.

    `ground` float32 (n, n) is the map itself, in units of one downward move. `relief` is how high one unit of `heights`
    is shown, in extents; `marks` sets particles above the land by it.
    """

    atlas = PLANE
    unit = "0..1"
    relief = 0.1

    def __init__(
        self,
        seed: int,
        parameters: dict[str, Value],
        windows: list[Window] | None = None,
        start: np.ndarray | None = None,
    ) -> None:
        check_drift(parameters)
        self._p = parameters
        super().__init__(seed, int(parameters["cells"]) + 1)
        self.total = int(parameters["particles"])
        self.windows = windows or arrange(
            preset_windows(str(parameters["preset"]), seed),
            *(float(parameters[name]) for name in ("x", "z", "size")),
            str(parameters["window"]),
            int(parameters["windows"]),
        )
        # Fall speed scales heights and nothing else: the lattice counts downward moves.
        self._unit = float(parameters["fall"])
        self._key = np.uint64(stream_key(seed, _STREAM_PARTICLES))
        self._curve = curve(float(parameters["smoothing"]))
        self.ground = _start_map(seed, self.n, parameters, start)
        self._prepare()
        self._show()

    def _prepare(self) -> None:
        """Everything the kernels take, in their order."""
        p, cells = self._p, self.n - 1
        group, radius, shape = int(p["group"]), int(p["radius"]), str(p["shape"])
        mass = self._mass(footprint(radius, 1.0, shape)) / self._unit
        self._lift = max(round(float(p["height"]) * cells / self._unit), 1)
        tops = np.full(len(self.windows), self._lift + int(np.ceil(self.ground.max())), np.int64)
        self._emitter = (*window_arrays(self.windows, cells), tops)
        self._state = np.zeros((STATES, group), np.int64), np.zeros(group, np.uint64), np.zeros(group, np.int64)
        wall = round(float(p["box"]) * cells)
        box = np.array([-wall, cells + wall, -wall, cells + wall, round(float(p["ceiling"]) * cells / self._unit)])
        margin = max(wall, 0)
        sides = np.array([((cells + 2 * margin) >> shift) + 1 for shift in (FINE, COARSE)])
        tiles = np.zeros(int((sides * sides).sum()), np.int64)
        self._bounds = tiles, tiles.copy(), sides
        survey(self.ground, box, *self._bounds)
        up, down, sideways = int(p["up"]), int(p["down"]), int(p["sideways"])
        jumps = jump_tables(sideways, 100 - 2 * sideways, sideways), jump_tables(down, 100 - up - down, up), jump_of_ticks()
        falls = fall_tables(sideways, up, down, (1 << COARSE) // int(p["step"]))
        self._moves = box, int(p["step"]), *jumps, falls.ticks, falls.stray, falls.of_gap, falls.lid
        rules = float(p["viscosity"]), p["slide"] == "listing", self._unit
        self._landing = radius, footprint(radius, mass, shape), *rules
        lists = np.zeros(1 << (2 * group - 1).bit_length(), np.int64)
        scratch = lists, np.zeros(group, np.int64), np.zeros((4, group), np.int64)
        self._magnetism = int(p["magnetism"]), float(p["breakup"]), *scratch
        self._super = mass, FOOTPRINTS.index(shape)

    def _mass(self, one: np.ndarray) -> float:
        """The factor of footprints: as given, or such that the land gets about PEAK_CELLS high."""
        if self._p["mass"] != "auto":
            return float(self._p["mass"])
        even = self.total * float(one.sum()) / self.n**2
        return PEAK_CELLS / (even * peak_density(self.windows))

    def _advance(self, to: int) -> None:
        work = (self._key, self.done, to, self.total, *self._emitter, self._lift, *self._state, self.ground)
        if self._magnetism[0]:
            from .magnetism import grow_magnetic

            grow_magnetic(*work, *self._bounds, *self._moves, *self._landing, *self._magnetism, *self._super)
        else:
            rain(*work, *self._bounds, *self._moves, *self._landing)
        self.done = to
        self._show()

    def _show(self) -> None:
        low, high = self.ground.min(), self.ground.max()
        if high <= low:
            self.heights.fill(0.0)
            return
        done = self.done / self.total
        share = done if self._p["start"] == "zero" else START_SHARE + (1.0 - START_SHARE) * done
        normalise(self.ground, low, high - low, self._curve, np.float32(share), self.heights[0])

    @property
    def sea_level(self) -> float:
        """Of `land=coast` just above the start level; else the level above which lies the wanted share of the map."""
        land = self._p["land"]
        if land == "coast":
            return COAST
        return level_by_rank(self.heights, float(land))

    @property
    def sinking(self) -> float:
        """How far a particle of `marks` sinks, in extents, while one more lands."""
        return 1.25 * self._lift * self._unit / (self.n - 1) / self._span()

    def _span(self) -> int:
        """How many of those that land next are in the air."""
        return max(self.total // 32, 8 * (self._state[1].size if self._magnetism[0] else 1))

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """The particles in flight when `last` have landed, at most MOST_MARKS: those that will land next, lowest first.

        They are drawn to fall freely from where they are emitted, which is what they do until the ground is near.
        """
        from .magnetism import trace

        group = self._state[1].size if self._magnetism[0] else 1
        span = self._span()
        stride = -(-span // (MOST_MARKS // group * group)) * group if group < MOST_MARKS else span
        firsts = np.arange(-(-(last + 1) // stride) * stride, min(last + 1 + span, self.total), stride)
        drift = (int(self._p["down"]) - int(self._p["up"])) / 100.0
        flown = (1.0 - (firsts - last) / span) * 1.25 * self._lift / drift
        state = np.zeros((STATES, group), np.int64), np.zeros(group, np.uint64), np.zeros(group, np.int64)
        below = np.where(self._bounds[1] == WALL, WALL, _NO_GROUND)
        found = np.zeros((MOST_MARKS, 4))
        count = trace(
            *(self._key, self.total, firsts, flown, *self._emitter, *state, self.ground, below, self._bounds[2]),
            *(*self._moves, *self._magnetism[:2], self._unit, *self._magnetism[2:], found),
        )
        return Marks(np.zeros((0, 4), np.float32), self._above_land(found[:count], relief), np.zeros((0, 2, 3), np.float32))

    def _above_land(self, found: np.ndarray, relief: float) -> np.ndarray:
        """Points float32 (k, 4) of rows x, z, y, weight: those over the map and above its ground."""
        cells = self.n - 1
        found = found[((found[:, :2] >= 0) & (found[:, :2] <= cells)).all(axis=1)]
        i, j = found[:, 0].astype(np.intp), found[:, 1].astype(np.intp)
        clear = (found[:, 2] - self.ground[j, i]) * self._unit / cells
        size = float(self._landing[0]) / cells * found[:, 3] ** 0.25
        points = np.stack(
            [found[:, 0] / cells - 0.5, clear + relief * self.heights[0, j, i], found[:, 1] / cells - 0.5, size], 1
        )
        return points[clear > 0.0].astype(np.float32)


def _start_map(seed: int, n: int, parameters: dict[str, Value], image: np.ndarray | None) -> np.ndarray:
    """float32 (n, n), in units of one downward move, not negative."""
    kind = parameters["start"]
    if kind == "zero":
        return np.zeros((n, n), np.float32)
    if kind == "random":
        field = uniforms(seed, _STREAM_START, n * n).reshape(n, n)
    elif kind == "plasma":
        field = _plasma(seed, n)
    elif image is None:
        raise ParameterError("start=image is not possible without a picture: set file=PATH as well")
    else:
        field = squared(image, 0.0, n - 1)
    scale = float(parameters["start_height"]) * (n - 1) / float(parameters["fall"])
    return (field * scale).astype(np.float32)


def _plasma(seed: int, n: int) -> np.ndarray:
    """The plasma of the same seed, 0..1, cut to n x n."""
    from ..plasma import growth as plasma

    growth = plasma.Plasma(seed, 1 << max(n - 2, 1).bit_length(), 0.8, "low", 0.66)
    growth.advance(growth.total)
    field = growth.heights[0, :n, :n].astype(np.float64)
    span = field.max() - field.min()
    return (field - field.min()) / span if span > 0 else field


def curve(exponent: float) -> np.ndarray:
    """x^exponent at _CURVE + 1 places of 0..1, float32, by whole powers and square roots alone.

    Powers of the library differ in their last bits between machines; a square root does not.
    """
    x = np.linspace(0.0, 1.0, _CURVE + 1)
    out = np.ones_like(x)
    whole = int(exponent)
    for _ in range(whole):
        out *= x
    rest, root = exponent - whole, x
    for _ in range(20):
        rest, root = 2.0 * rest, np.sqrt(root)
        if rest >= 1.0:
            out *= root
            rest -= 1.0
    return out.astype(np.float32)
