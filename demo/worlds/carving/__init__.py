"""Carving: uplift and rain turn a grown world into land that drains. An act after any growth, on any atlas."""
