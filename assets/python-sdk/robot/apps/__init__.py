"""Apps for the robot."""
