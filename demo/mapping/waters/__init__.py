"""Rivers and lakes on the global mesh."""
