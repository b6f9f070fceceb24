"""Vectors and easing: arithmetic that every stage shares. numpy only."""
