"""Measurements of Landfall against the articles' own loops and against peers: `python -m benchmarks --help`."""
