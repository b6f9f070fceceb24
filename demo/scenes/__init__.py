"""Scenes: what the show plays, and what each world has besides its heights. Plain data and pure functions of time."""
