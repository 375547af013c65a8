"""How the robot speaks: from text to sound, and the loudspeaker."""
