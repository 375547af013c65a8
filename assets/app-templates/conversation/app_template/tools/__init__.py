"""The tools that a chat model may call. Add your own in `actions.py`."""
