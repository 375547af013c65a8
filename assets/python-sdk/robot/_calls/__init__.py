"""The calls of a `Robot`, by topic."""
