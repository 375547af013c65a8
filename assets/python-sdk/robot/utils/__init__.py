"""Helpers for poses; `interpolation` and `discovery` are modules of their own."""

from __future__ import annotations

import math

from robot._arrays import Array, as_array


def create_head_pose(
    x: float = 0,
    y: float = 0,
    z: float = 0,
    roll: float = 0,
    pitch: float = 0,
    yaw: float = 0,
    mm: bool = False,
    degrees: bool = True,
) -> Array:
    """Creates a pose of the head in the frame of the neutral head: x forward, y left, z up.

    The head turns about fixed axes: first roll about x, then pitch about y, then yaw about z.

    Args:
        x, y, z: the position in metres, or in millimetres if `mm`.
        roll, pitch, yaw: the angles in degrees, or in radians if not `degrees`.
        mm: whether lengths are in millimetres.
        degrees: whether angles are in degrees.

    Returns:
        A 4x4 matrix with its translation in metres: a numpy array if numpy is installed, else
        four lists of four.
    """
    metres = 0.001 if mm else 1.0
    angles = (math.radians(a) if degrees else a for a in (roll, pitch, yaw))
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in angles)
    return as_array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x * metres],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y * metres],
            [-sp, cp * sr, cp * cr, z * metres],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
