"""The local mesh, strip by strip: fine relief, shores, courses and catchments."""
