"""How the robot moves: layers, each a pose over time, added to one stream of targets."""
