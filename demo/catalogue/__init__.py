"""The catalogue of generators: all that a seed can be grown with, the map and height maps from files included."""
