"""Climate: winds, temperature, rain and its shadow, on the double cone's mesh and, with carving's graphs, on any atlas."""
