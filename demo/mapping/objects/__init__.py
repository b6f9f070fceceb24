"""The objects of a map, with their names: from the parts of a planet to a `PlanetMap`."""
