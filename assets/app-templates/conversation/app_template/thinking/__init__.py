"""The partners that answer: a chat model, or a script."""
