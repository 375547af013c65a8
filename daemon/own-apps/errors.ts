import { Conflict, NotFound } from '../shared/domain-error.ts';

export class OwnAppNotFound extends NotFound {
  constructor(id: string) {
    super(`There is no own app ${id} in the list. Add its folder.`);
  }
}

/** The folder of an own app does not exist now. */
export class OwnAppFolderGone extends NotFound {
  constructor(folder: string) {
    super(`The folder ${folder} does not exist. It was moved, removed, or is on a disk that is not connected.`);
  }
}

/** A folder that a request names does not exist. */
export class FolderNotFound extends NotFound {
  constructor(folder: string) {
    super(`There is no folder ${folder}. Check the path.`);
  }
}

/** The app runs from its folder, so that it must stay in the list. */
export class OwnAppIsRunning extends Conflict {
  constructor(title: string) {
    super(`"${title}" runs from its folder. Stop it first.`);
  }
}

export class NotSignedInToHub extends Conflict {
  constructor() {
    super('Nobody is signed in to the hub. Sign in with a token that may write, then publish.');
  }
}

/** No window can be shown to the caller. */
export class WindowsNotShown extends Conflict {
  constructor(why: string) {
    super(`${why} Open the folder yourself.`);
  }
}

export class FileNotInFolder extends NotFound {
  constructor(file: string) {
    super(`The app has no file ${file}.`);
  }
}
