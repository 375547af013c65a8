"""The page of an app: its server, and what that lets in."""
