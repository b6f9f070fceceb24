"""The objects of a map, with their names."""
