"""An app that dances."""
