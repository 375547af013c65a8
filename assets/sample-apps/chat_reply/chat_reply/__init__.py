"""An app that replies to what is written on its page."""
