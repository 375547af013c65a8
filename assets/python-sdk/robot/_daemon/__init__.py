"""The connection to the daemon: found, opened, kept, and opened again."""
