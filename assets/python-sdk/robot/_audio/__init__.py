"""Sound in and out: the sound card of this computer, or one that is a program.

Everywhere samples are float32 between -1 and 1, 16,000 a second.
"""
