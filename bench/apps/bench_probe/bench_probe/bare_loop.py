"""Waits for SIGINT as a program without the SDK does."""

import time

print("ready", flush=True)
try:
    while True:
        time.sleep(0.02)
except KeyboardInterrupt:
    pass
