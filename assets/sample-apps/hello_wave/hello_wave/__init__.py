"""An app that waves."""
