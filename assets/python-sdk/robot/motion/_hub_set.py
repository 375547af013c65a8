"""A set of recorded moves in a dataset on the hub, with the copies of its files on this machine."""

from __future__ import annotations

import json
import os

from robot import _notice
from robot.motion._hub import Hub, HubUnreachable, Listing, NotOnHub
from robot.motion._kept_files import KeptFiles
from robot.motion._move_files import Folder, MoveFile, move_files, own_set

_LISTING = "listing.json"


class HubSet:
    """A dataset. Not safe to use from several threads."""

    def __init__(self, dataset: str) -> None:
        """Sends nothing. `dataset` is an id, `owner/name`."""
        self._dataset = dataset
        self._hub = Hub()
        self._kept = KeptFiles(self._hub.address, dataset)
        self._revision = "main"
        self._instead: Folder | None = None

    @property
    def title(self) -> str:
        """See `MoveFiles.title`."""
        dataset = f"the dataset {self._dataset}"
        return f"{dataset} (in its place: {self._instead.title})" if self._instead else dataset

    def find(self) -> dict[str, MoveFile]:
        """See `MoveFiles.find`. The SDK's own set if the hub cannot be reached."""
        try:
            listing = self._hub.list_files(self._dataset)
        except NotOnHub as error:
            raise ValueError(
                f"The hub has no dataset {self._dataset} that this program may read ({error}). "
                "Check its name; for a private one set HF_TOKEN."
            ) from None
        except HubUnreachable as error:
            return self._without_hub(error)
        self._revision = listing.revision
        self._kept.use(listing.revision)
        moves = move_files(listing.paths)
        self._keep_listing(Listing(listing.revision, [p for m in moves.values() for p in m if p]))
        return moves

    def local(self, file: MoveFile) -> tuple[str, str | None]:
        """See `MoveFiles.local`."""
        if self._instead:
            return self._instead.local(file)
        try:
            move = self._fetched(file.move)
        except (NotOnHub, HubUnreachable, OSError) as error:
            raise ValueError(
                f"{file.move} of the dataset {self._dataset} cannot be downloaded ({error})."
            ) from error
        if file.sound is None:
            return move, None
        try:
            return move, self._fetched(file.sound)
        except (NotOnHub, HubUnreachable, OSError) as error:
            _notice.once(
                f"moves: sound {self._dataset} {file.sound}",
                f"{file.sound} of the dataset {self._dataset} cannot be downloaded ({error}): "
                "the move is silent.",
            )
            return move, None

    def _fetched(self, path: str) -> str:
        """The path of the copy of a file, which is downloaded unless it is there."""
        at = self._kept.path(path)
        if not os.path.isfile(at):
            with self._kept.new_file(at) as file:
                self._hub.download(self._dataset, self._revision, path, file)
        return at

    def _without_hub(self, error: HubUnreachable) -> dict[str, MoveFile]:
        listing = self._kept_listing()
        if listing is not None:
            self._revision = listing.revision
            self._kept.use(listing.revision)
            kept = [path for path in listing.paths if os.path.isfile(self._kept.path(path))]
            moves = move_files(kept)
            if moves:
                _notice.once(
                    f"moves: hub {self._dataset}",
                    f"The hub cannot be reached ({error}). Of the dataset {self._dataset}, the "
                    f"moves that are on this machine can be played: {', '.join(moves)}.",
                )
                return moves
        self._instead = own_set()
        moves = self._instead.find()
        _notice.once(
            f"moves: hub {self._dataset}",
            f"The hub cannot be reached ({error}), and the dataset {self._dataset} is not on this "
            f"machine. The SDK's own moves take its place: {', '.join(moves)}.",
        )
        return moves

    def _keep_listing(self, listing: Listing) -> None:
        try:
            with self._kept.new_file(self._kept.root_path(_LISTING)) as file:
                file.write(json.dumps(listing._asdict()).encode())
        except OSError:
            pass  # It is needed only where the hub cannot be reached.

    def _kept_listing(self) -> Listing | None:
        try:
            with open(self._kept.root_path(_LISTING), encoding="utf-8") as file:
                fields = json.load(file)
            return Listing(str(fields["revision"]), [str(path) for path in fields["paths"]])
        except (OSError, ValueError, TypeError, KeyError):
            return None
