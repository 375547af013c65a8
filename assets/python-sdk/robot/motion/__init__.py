"""Moves: `move.Move` to write one, `recorded_move` to play one from a file, `goto.GotoMove`."""
