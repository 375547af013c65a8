"""Requests to the endpoints of an app, on the standard library."""
