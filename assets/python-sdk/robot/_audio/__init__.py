"""Sound input and output: the computer's sound card, or a virtual one.

Samples are always float32 between -1 and 1, 16,000 a second.
"""
