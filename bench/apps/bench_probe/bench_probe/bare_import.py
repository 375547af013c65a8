"""Imports the SDK, and does nothing else."""

from robot import RobotApp as RobotApp
