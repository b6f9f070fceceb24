"""The show: the main thread's side, from the stories' moments to pictures."""
