"""Geometry between the camera's image and the head."""
