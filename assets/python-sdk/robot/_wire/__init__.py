"""The protocol between a program and the daemon: WebSocket frames and their messages."""
