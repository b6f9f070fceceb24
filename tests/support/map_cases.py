"""A small planet map made by hand: a continent over the 180th meridian, one around the south pole, an island in a lake."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demo.mapping.objects.records import Catchment, Coastline, Confluence, Lake, Landmass, Ocean, Peak, PlanetMap, River, Sea


def box(west: float, south: float, east: float, north: float, steps: int = 10) -> np.ndarray:
    """A closed ring, anticlockwise, float64 (4 steps + 1, 2)."""
    part = np.arange(steps) / steps
    zero, one = np.zeros(steps), np.ones(steps)
    x = np.concatenate([part, one, 1 - part, zero, [0.0]])
    y = np.concatenate([zero, part, one, 1 - part, [0.0]])
    return np.stack([west + (east - west) * x, south + (north - south) * y], axis=1)


def line(*places: tuple[float, float]) -> np.ndarray:
    return np.array(places, np.float64)


@dataclass(frozen=True)
class Slopes:
    """Land where `world` has some, rising inland; it counts the places that were asked for."""

    asked: list[int]

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        longitude, latitude = np.broadcast_arrays(longitude, latitude)
        self.asked.append(longitude.size)
        wrapped = np.abs((longitude + 360.0) % 360.0 - 180.0)
        inland = np.minimum(np.minimum(20.0 - wrapped, latitude + 20.0), 20.0 - latitude)
        return (100.0 * np.maximum(inland, -70.0 - latitude)).astype(np.float32)

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        return np.where(self.sample(longitude, latitude) <= 0.0, 0.0, np.nan).astype(np.float32)

    def sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.sample(longitude, latitude), self.water(longitude, latitude)


def planet(gn: int = 4, ln: int = 1) -> PlanetMap:
    """The map. All names of three landmasses, two rivers, one lake, one sea and two peaks are given."""
    west, east = box(160.0, -20.0, 180.0, 20.0), box(-180.0, -20.0, -160.0, 20.0)
    shore, islet = box(165.0, 0.0, 171.0, 6.0), box(167.0, 2.0, 169.0, 4.0)
    cap = np.concatenate(
        [np.stack([np.linspace(-180, 180, 73), np.full(73, -70.0)], 1)[::-1], line((-180, -90), (180, -90))]
    )
    cap = np.concatenate([cap, cap[:1]])[::-1]
    # Without the cut at the 180th meridian, and around the pole with land on the left.
    coast_west = np.concatenate([west[20:40], west[:11]])
    coast_east = east[:31]
    coast_pole = np.stack([np.linspace(180, -180, 73), np.full(73, -70.0)], 1)
    trunk = (line((174.0, 3.0), (177.0, -5.0), (180.0, -8.0)), line((-180.0, -8.0), (-172.0, -14.0), (-172.0, -20.0)))
    brook = line((-165.0, -8.0), (-169.0, -12.0), (-172.0, -14.0))
    inflow, dry = line((162.0, 10.0), (165.0, 6.0)), line((173.0, 15.0), (175.0, 12.0))
    catchment = ((west,), (east,))
    return PlanetMap(
        code=f"doublecone-8-7-gn={gn}-ln={ln}",
        seed=7,
        gn=gn,
        ln=ln,
        radius_m=6.371e6,
        land_ratio=0.071,
        stretch=(0.785, 1.11, 1.571),
        landmasses=(
            Landmass(0, "Arvandia", ((west,), (east,)), 1.9e7, 2000.0),
            Landmass(1, "Sothmark", ((cap,),), 1.5e7, 2000.0),
        ),
        coastlines=(
            Coastline(0, 0, 0, (coast_west, coast_east), 17_000.0, False),
            Coastline(1, 1, 0, (coast_pole,), 13_000.0, False),
        ),
        oceans=(Ocean(0, "Ocean of Lell", 4.7e8, (0.0, 10.0)),),
        seas=(Sea(0, "Ocean of Lell", 4.7e8, (0.0, 10.0)),),
        lakes=(Lake(0, "Lake Möri", 0, ((shore, islet[::-1]),), 4e5, 9e4, 300.0, 250.0, 900.0, 900.0, 0.0, None),),
        rivers=(
            River(0, "Ister", 0, 0, trunk, 3500.0, 21_000.0, 2, 1900.0, "sea", 0, (174.0, 3.0), -1, _widths(trunk)),
            River(1, "", 0, 0, (brook,), 900.0, 4000.0, 1, 500.0, "river", 0, (-165.0, -8.0), -1, _widths((brook,))),
            River(2, "Ané", 0, 1, (inflow,), 500.0, 900.0, 1, 200.0, "lake", 0, (162.0, 10.0), -1, _widths((inflow,))),
            River(3, "", 0, 2, (dry,), 300.0, 20.0, 1, 30.0, "basin", -1, (173.0, 15.0), -1, _widths((dry,))),
        ),
        confluences=(Confluence(0, (-172.0, -14.0), 0, 1, 20_000.0),),
        catchments=(Catchment(0, 0, 0, catchment, 1.9e7, 21_000.0),),
        peaks=(
            Peak(0, "Mount Ashk", 0, (-175.0, 0.0), 1987.65, 1987.65),
            Peak(1, "", 1, (0.0, -90.0), 2000.0, 2000.0),
        ),
        relief=Slopes([]),
    )


def _widths(lines: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return tuple(np.linspace(10.0, 500.0, len(part)) for part in lines)
