"""App template."""
