"""An app that looks from side to side, with a settings page."""
