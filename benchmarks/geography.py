"""Geography: do the maps' planets agree with the Earth? Rain, dryness, heights, lakes, rivers and closed basins.

Figures are those of the global mesh. The Earth's: rain and runoff, K. E. Trenberth and others, Journal of Hydrometeorology
8(4), 2007, 758-769; dry land, the Global Precipitation Climatology Centre; closed basins, B. Lehner and G. Grill,
Hydrological Processes 27(15), 2013, 2171-2186; depths and shelves, P. T. Harris and others, Marine Geology 352, 2014, 4-24;
the land's mean height and the commonest heights, ETOPO1; lakes, M. L. Messager and others, Nature Communications 7, 2016,
13603, those larger than 10,000 km2, and J. A. Downing and others, Limnology and Oceanography 51(5), 2006, 2388-2397; Hack's
exponent and the ratio of numbers of streams of one order and of the next, I. Rodriguez-Iturbe and A. Rinaldo, Fractal River
Basins, 1997. Where the articles are was looked up, but for the book, ETOPO1 and the centre; the figures are rounded, and
not all were found in them. Coasts are those of whole maps (`coasts`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.coasts import RULERS_KM, coast_dimension
from benchmarks.extents import BELTS, stretch_by_belt
from benchmarks.harness import Report
from demo.catalogue.generators import generator
from demo.mapping.local.fine_mesh import least_lake_m2
from demo.mapping.waters.drainage_mesh import drainage_mesh_of
from demo.mapping.waters.hydrology import Hydrology, hydrology_of
from demo.mapping.waters.landmasses import Globe, globe_of
from demo.worlds.climate.mesh_climate import Climate, climate_of
from demo.worlds.drainage_kernels import downstream

SEEDS, GN, LN = 20, 7, 3
# Streams are counted in basins of this order.
HIGH = 4
DRY_MM, GREAT_KM2, SHELF_M = 250.0, 1e4, 200.0
# Heights are counted in bins of this many metres.
BIN_M = 500.0
STRETCH_BARS = 0.93, 1.07
# Maps of so many seeds show their coasts, by (gn, ln).
COAST_SEEDS, COASTS, COAST_BARS = 2, ((5, 5), (7, 3)), (1.15, 1.3)


@dataclass(frozen=True)
class Measure:
    """One figure: what it is called, the Earth's value, and the bounds of the median over seeds."""

    title: str
    earth: float
    low: float
    high: float


MEASURES = {
    "land_rain": Measure("rain on land, mm", 800.0, 750.0, 850.0),
    "sea_to_land": Measure("rain at sea / on land", 1.4, 1.0, 2.0),
    "runoff": Measure("runoff / rain on land", 0.36, 0.35, 0.45),
    "dry": Measure("land under 250 mm", 0.25, 0.18, 0.30),
    "closed": Measure("land that drains inwards", 0.18, 0.10, 0.20),
    "depth": Measure("mean depth of the sea, m", 3700.0, 3500.0, 4300.0),
    "shelf": Measure("sea above 200 m", 0.08, 0.04, 0.13),
    "height": Measure("mean height of land, m", 800.0, 600.0, 1200.0),
    "bed": Measure("commonest height of the sea's bed, m", -4300.0, -5500.0, -3500.0),
    "plains": Measure("commonest height of the land, m", 250.0, 0.0, 500.0),
    "between": Measure("rarest height between them / the rarer of both", 0.2, 0.0, 0.35),
    "lakes": Measure("lakes over 10,000 km2", 28.0, 14.0, 42.0),
    "lake_law": Measure("exponent of lakes' areas", 1.0, 0.7, 1.4),
    "hack": Measure("Hack's exponent", 0.55, 0.50, 0.65),
    "bifurcation": Measure("bifurcation", 4.0, 3.0, 5.0),
}


def run(report: Report) -> None:
    """The median of each figure over the seeds, with the least and the greatest."""
    seeds = report.rounds(SEEDS)
    found = [figures_of(seed) for seed in range(1, seeds + 1)]
    for name, measure in MEASURES.items():
        values = [one[name] for one in found]
        middle = float(np.median(values))
        said = f"Earth {measure.earth:g}, seeds **{middle:.3g}** ({min(values):.3g} to {max(values):.3g})"
        report.figure(measure.title, said, f"{measure.low:g} to {measure.high:g}", measure.low <= middle <= measure.high)
    for (low, high), stretch in zip(BELTS, stretch_by_belt(range(1, seeds + 1), GN), strict=True):
        bars = f"{STRETCH_BARS[0]:g} to {STRETCH_BARS[1]:g}", STRETCH_BARS[0] <= stretch <= STRETCH_BARS[1]
        report.figure(f"islands and inland seas at {low} to {high} degrees, wide / high", f"**{stretch:.3f}**", *bars)
    for gn, ln in COASTS:
        winding = coast_dimension(range(1, min(seeds, COAST_SEEDS) + 1), gn, ln)
        title = f"dimension of coasts, {RULERS_KM[0]:g} to {RULERS_KM[-1]:g} km, gn={gn} ln={ln}"
        bars = f"{COAST_BARS[0]:g} to {COAST_BARS[1]:g}", COAST_BARS[0] <= winding <= COAST_BARS[1]
        report.figure(title, f"Earth 1.02 to 1.25, seeds **{winding:.3f}**", *bars)
    report.note(f"gn={GN} ln={LN}, seeds 1 to {seeds}.")


def figures_of(seed: int, gn: int = GN) -> dict[str, float]:
    """The figures of one planet, by the names of MEASURES."""
    growth = generator("doublecone").grow(seed, {"gn": gn})
    growth.advance(gn)
    heights = drainage_mesh_of(growth.planet, LN)[0].heights_m
    globe, climate = globe_of(2**gn), climate_of(heights)
    waters = hydrology_of(heights, climate, globe=globe, least_lake_m2=least_lake_m2(2**gn, LN, globe.radius_m))
    return _of_land(globe, heights, climate, waters) | _of_lakes(waters) | _of_rivers(globe, waters)


def _of_land(globe: Globe, heights: np.ndarray, climate: Climate, waters: Hydrology) -> dict[str, float]:
    land, sea = globe.area_m2 * (heights > 0.0), globe.area_m2 * (heights <= 0.0)
    rain = _mean(climate.rain_mm, land)
    mouth = waters.mouth_of_point
    inwards = (mouth >= 0) & (waters.landmasses.sea_of_point[waters.receiver_of_point[np.maximum(mouth, 0)]] < 0)
    inwards |= (mouth >= 0) & (waters.receiver_of_point[np.maximum(mouth, 0)] < 0)
    return {
        "land_rain": rain,
        "sea_to_land": _mean(climate.rain_mm, sea) / rain,
        "runoff": _mean(climate.runoff_mm, land) / rain,
        "dry": _mean(climate.rain_mm < DRY_MM, land),
        "closed": _mean(inwards, land),
        "depth": -_mean(heights, sea),
        "shelf": _mean(heights > -SHELF_M, sea),
        "height": _mean(heights, land),
        **_modes(heights, globe.area_m2),
    }


def _modes(heights: np.ndarray, area_m2: np.ndarray) -> dict[str, float]:
    """The middles of the commonest bins of heights below and above the sea, and how rare the rarest between them is."""
    share, edges = np.histogram(heights, np.arange(-24.0, 25.0) * BIN_M, weights=area_m2)
    sea = len(share) // 2
    bed, plains = int(share[:sea].argmax()), sea + int(share[sea:].argmax())
    rarest = share[bed : plains + 1].min() / min(share[bed], share[plains])
    middle = 0.5 * (edges[1:] + edges[:-1])
    return {"bed": float(middle[bed]), "plains": float(middle[plains]), "between": float(rarest)}


def _mean(values: np.ndarray, weights: np.ndarray) -> float:
    return float((values * weights).sum() / weights.sum())


def _of_lakes(waters: Hydrology) -> dict[str, float]:
    """The exponent is the most likely one of a power law from a tenth of GREAT_KM2 on."""
    area = waters.lakes.area_m2 * 1e-6
    some = area[area > 0.1 * GREAT_KM2]
    exponent = len(some) / max(float(np.log(some / (0.1 * GREAT_KM2)).sum()), 1e-9)
    return {"lakes": float((area > GREAT_KM2).sum()), "lake_law": exponent}


def _of_rivers(globe: Globe, waters: Hydrology) -> dict[str, float]:
    """Over the points of rivers: length of the longest way down to them by land upstream, and streams by order."""
    receiver = np.where(waters.receiver_of_point >= 0, waters.receiver_of_point, np.arange(len(globe.area_m2)))
    area, longest = globe.area_m2.copy(), np.zeros(len(receiver))
    land = waters.landmasses.landmass_of_point >= 0
    for p in downstream(receiver.astype(np.int32)).tolist():
        r = int(receiver[p])
        if r != p and land[p]:
            way = float(globe.length_m[p][globe.neighbour[p] == r][0])
            area[r] += area[p]
            longest[r] = max(longest[r], longest[p] + way)
    order = waters.order_of_point
    river = land & (longest > 0.0) & (area > 8.0 * np.median(globe.area_m2))
    bins = np.digitize(np.log(area), np.linspace(np.log(area[river].min()), np.log(area[river].max()), 12))
    used = [k for k in np.unique(bins[river]) if (river & (bins == k)).sum() >= 20]
    middle = [(np.log(area[river & (bins == k)]).mean(), np.log(longest[river & (bins == k)]).mean()) for k in used]
    begins = (order > 0) & (order[receiver] != order) & (order[np.maximum(waters.mouth_of_point, 0)] >= HIGH)
    counts = np.bincount(order[begins], minlength=8)[1:]
    counts = counts[counts >= 3]
    return {
        "hack": float(np.polyfit(*np.array(middle).T, 1)[0]),
        "bifurcation": float(np.exp(-np.polyfit(np.arange(len(counts)), np.log(counts), 1)[0])),
    }
