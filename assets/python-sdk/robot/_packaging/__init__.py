"""The parts of the build backend `robot.build`."""
