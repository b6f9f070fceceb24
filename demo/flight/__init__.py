"""Where the camera is: pure functions of time over a height field. numpy only, so that no compiler is waited for."""
