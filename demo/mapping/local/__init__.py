"""The local mesh: fine relief, coasts, courses and catchments, strip by strip."""
