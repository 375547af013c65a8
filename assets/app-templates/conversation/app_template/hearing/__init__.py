"""How the robot hears: the microphone, who speaks when, and what was said."""
