"""An app that talks with people: it listens, thinks, speaks and moves."""
