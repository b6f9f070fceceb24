"""Engines whose pieces other processes make: those of this machine, or of a cluster."""
