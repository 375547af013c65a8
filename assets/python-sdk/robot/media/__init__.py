"""The robot's microphone, loudspeaker and camera."""
