"""Scouting a terrain: the search for the route that shows most of it.

It begins with routes that follow rivers and mountains and with random ones, varies the best by coarse maps of the land, and
takes of the best of those the one along which most is seen (`prospects`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..worlds import hashing
from .curves import following, turned, walked
from .features import lines_of
from .overview import Overview
from .prospects import STEP_S, prospects
from .route_scores import ROUTE_STEP_S, WEIGHTS, RouteRequest, route_scores, shown_places

WEIGHTS_STREAM, ROUTE_STREAM, REFINE_STREAM = 119, 120, 121
# The search: random routes at first, of which the best are kept; then, REFINEMENTS times, variations of those.
FIRST_ROUTES, KEPT_ROUTES, REFINED_ROUTES, REFINEMENTS = 150, 12, 90, 2
# So many of the best routes are judged by what is seen along them, which counts SEEN times as much.
JUDGED, SEEN, ROUTES = 14, 1.6, 5
# The rate of turning is given at this many times along a route.
TURN_KNOTS = 10
# Where routes begin: radians to either side of the flight's first place, shares of the extent away from the middle; and
# radians by which they lead past the middle.
SIDE, AWAY, PAST = np.radians(130.0), (0.16, 0.26), np.radians(110.0)
# A route that follows a line aims this many seconds ahead, and the view looks so far ahead.
AIM_S, LOOK_S = 3.0, 4.0


@dataclass(frozen=True)
class Route:
    """A route at constant speed: x and z, float64 (k, 2) metres, every ROUTE_STEP_S seconds; headings (k,) in radians."""

    xz: np.ndarray
    heading: np.ndarray


def best_routes(ground: Ground, overview: Overview, seed: int, request: RouteRequest) -> list[Route]:
    """The ROUTES best routes through the terrain of some hundred, by an evolutionary search: the best ones are varied."""
    knots = 3 + TURN_KNOTS
    weights = WEIGHTS[int(hashing.uniform(seed, WEIGHTS_STREAM, 0) * len(WEIGHTS))]
    random = hashing.uniforms(seed, ROUTE_STREAM, FIRST_ROUTES * knots).reshape(-1, knots)
    genes = np.concatenate([_along_features(overview, request), random])
    scores = route_scores(ground, overview, weights, request, *_routes(genes, overview.extent_m, request))
    for generation in range(REFINEMENTS):
        kept = np.argsort(-scores, kind="stable")[:KEPT_ROUTES]
        drawn = hashing.uniforms(seed, REFINE_STREAM + generation, REFINED_ROUTES * knots).reshape(-1, knots)
        near = genes[np.resize(kept, REFINED_ROUTES)] + (drawn - 0.5) * (0.5 if generation == 0 else 0.2)
        near = np.clip(near, 0.0, 1.0)
        more = route_scores(ground, overview, weights, request, *_routes(near, overview.extent_m, request))
        # The first ones stay among them: of what is seen the coarse maps know little.
        genes, scores = np.concatenate([genes, near]), np.concatenate([scores, more])
    return _judged(ground, genes, scores, overview.extent_m, request)


def _judged(ground: Ground, genes: np.ndarray, scores: np.ndarray, extent_m: float, request: RouteRequest) -> list[Route]:
    """The ROUTES of `genes` along which most is seen, of the best by their `scores`, the best first."""
    best = np.argsort(-scores, kind="stable")[:JUDGED]
    xz, heading = _routes(genes[best], extent_m, request)
    every = round(STEP_S / ROUTE_STEP_S)
    shown = slice(0, max(shown_places(request), 2 * every + 1), every)
    later = np.minimum(np.arange(xz.shape[1]) + round(0.5 * LOOK_S / ROUTE_STEP_S), xz.shape[1] - 1)
    seen = prospects(ground, xz[:, shown], heading[:, later][:, shown], request.fov, request.sun)
    order = np.argsort(-(scores[best] + SEEN * seen), kind="stable")[:ROUTES]
    return [Route(xz[k], heading[k]) for k in order]


def _along_features(overview: Overview, request: RouteRequest) -> np.ndarray:
    """The genes (c, 3 + TURN_KNOTS) of routes that follow lines of the land, as far as genes can."""
    lines = lines_of(overview, list(request.stems), request.eye)
    azimuth = np.arctan2(request.eye[2], request.eye[0])
    side = np.arctan2(lines[:, 0, 1], lines[:, 0, 0]) - azimuth
    side = (side + np.pi) % (2.0 * np.pi) - np.pi
    away = np.sqrt((lines[:, 0] ** 2).sum(axis=1)) / overview.extent_m
    genes = np.full((len(lines), 3 + TURN_KNOTS), 0.5)
    genes[:, 0] = np.clip(side / SIDE + 0.5, 0.0, 1.0)
    genes[:, 1] = np.clip((away - AWAY[0]) / AWAY[1], 0.0, 1.0)
    start, inward = _starts(genes, overview.extent_m, request.eye)
    toward = lines[:, lines.shape[1] // 8] - start
    past = (np.arctan2(toward[:, 1], toward[:, 0]) - inward + np.pi) % (2.0 * np.pi) - np.pi
    genes[:, 2] = np.clip(past / PAST + 0.5, 0.0, 1.0)
    first = inward + (genes[:, 2] - 0.5) * PAST
    count, step_m = int(np.ceil(request.seconds / ROUTE_STEP_S)) + 1, request.speed * ROUTE_STEP_S
    heading = following(lines, start, first, step_m, request.turn * ROUTE_STEP_S, count, AIM_S * request.speed)
    at = np.linspace(0.0, count - 1.0, TURN_KNOTS + 1)
    turns = np.diff(np.stack([np.interp(at, np.arange(count), row) for row in heading]), axis=1)
    genes[:, 3:] = np.clip(0.5 + 0.5 * turns / ((at[1] - at[0]) * ROUTE_STEP_S * request.turn), 0.0, 1.0)
    return genes


def _starts(genes: np.ndarray, extent_m: float, eye: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(where routes begin, (r, 2) metres; the headings (r,) from the flight's first place to there)."""
    side = np.arctan2(eye[2], eye[0]) + (genes[:, 0] - 0.5) * SIDE
    away = extent_m * (AWAY[0] + AWAY[1] * genes[:, 1])
    start = np.stack([away * np.cos(side), away * np.sin(side)], axis=1)
    return start, np.arctan2(start[:, 1] - eye[2], start[:, 0] - eye[0])


def _routes(genes: np.ndarray, extent_m: float, request: RouteRequest) -> tuple[np.ndarray, np.ndarray]:
    """Positions (r, k, 2) in metres and headings (r, k) in radians of the routes of `genes` (r, 3 + TURN_KNOTS) in 0..1."""
    k = int(np.ceil(request.seconds / ROUTE_STEP_S)) + 1
    start, inward = _starts(genes, extent_m, request.eye)
    first = inward + (genes[:, 2] - 0.5) * PAST
    rate = turned((2.0 * genes[:, 3:] - 1.0) * request.turn, k)
    heading = first[:, None] + np.cumsum(rate, axis=1) * ROUTE_STEP_S
    return walked(start, heading, request.speed * ROUTE_STEP_S), heading
