"""The methods of a `Robot` that use the camera's image."""

from __future__ import annotations

from robot._arrays import Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._daemon.link import DaemonLink
    from robot.media.media_manager import MediaManager


class Vision:
    """Looks at a point of the camera's image."""

    _link: DaemonLink
    if TYPE_CHECKING:

        @property
        def media(self) -> MediaManager: ...

        def _turn_head(self, pose: Array, duration: float, perform_movement: bool) -> Array: ...

    @property
    def T_head_cam(self) -> Array:
        """The pose of the camera in the frame of the head, a 4x4 matrix, in metres."""
        from robot.vision.look_at import default_head_to_camera_transform

        return default_head_to_camera_transform()

    def look_at_image(
        self, u: float, v: float, duration: float = 1.0, perform_movement: bool = True
    ) -> Array:
        """Turns the head so that a pixel of the camera's image comes to its centre.

        The pixel is taken to be in the image that the camera sees now, from the measured pose of
        the head. The head goes to its neutral position without tilting, as in `look_at_world`.

        One pixel does not tell how far a thing is, and the camera, which stands off the head's axes,
        moves with the head: the look is exact for things 3 m away. From the neutral position it
        misses by less than 0.3 degrees from 2 to 5 m, 0.6 degrees beyond, 1.1 degrees at 1 m and
        2.8 degrees at 0.5 m, in the corners of the image; by more if the head is shifted. A second
        look at the same thing misses by about a tenth of that.

        Args:
            u, v: the pixel: to the right and down from the image's upper left corner.
            duration: seconds, see `goto_target`; 0 sends the pose at once, like `set_target`.
            perform_movement: False only returns the pose.

        Returns:
            The pose that looks there, a 4x4 matrix like that of `create_head_pose`.

        Raises:
            ValueError: if the pixel is outside the image, `duration` is out of range, or the head
                cannot look there.
            CameraUnavailable: if there is no camera.
            RobotError: see `goto_target` and `set_target`.
            RobotConnectionError: if the daemon is lost.
        """
        from robot.errors import CameraUnavailable
        from robot.vision.look_at import check_pixel, look_at_image_pose

        camera = self.media.camera
        if camera is None:
            raise CameraUnavailable(self.media.why_no_camera())
        check_pixel(u, v, camera.resolution)
        head = self._link.state.head
        rows = [head[at : at + 4] for at in range(0, 16, 4)]
        pose = look_at_image_pose(u, v, camera.K, camera.D, rows)
        return self._turn_head(pose, duration, perform_movement)
