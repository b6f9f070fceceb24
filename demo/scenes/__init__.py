"""Scenes: what the show plays and when each of its moments comes. Plain data and pure functions of time."""
