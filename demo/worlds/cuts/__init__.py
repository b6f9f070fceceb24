"""Planets by random plane cuts."""
