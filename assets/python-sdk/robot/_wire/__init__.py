"""How bytes travel between a program and the daemon: WebSocket frames and the messages in them."""
