"""The robot's camera: this computer's, or a simulated one."""
