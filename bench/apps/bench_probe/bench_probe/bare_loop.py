"""Waits for SIGINT without the SDK."""

import time

print("ready", flush=True)
try:
    while True:
        time.sleep(0.02)
except KeyboardInterrupt:
    pass
