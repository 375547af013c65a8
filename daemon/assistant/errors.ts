import type { CheckFinding } from '../contract/apps/own-apps.ts';
import { visibleText } from '../shared/display-text.ts';
import { Conflict, DomainError, NotFound } from '../shared/domain-error.ts';

/** Most findings that a message lists. */
const MAX_LISTED = 10;

/** The app cannot be published as it is. `findings` say why, each at its place. */
export class NotPublishable extends DomainError {
  readonly findings: readonly CheckFinding[];

  constructor(findings: readonly CheckFinding[]) {
    const lines = findings.slice(0, MAX_LISTED).map(({ message, file, line }) => {
      const place = [file, line].filter((part) => part !== null).join(':');
      return place === '' ? message : `${place}: ${message}`;
    });
    const more = findings.length > MAX_LISTED ? [`And ${findings.length - MAX_LISTED} more.`] : [];
    super(`The app cannot be published as it is. ${[...lines, ...more].join(' ')}`);
    this.findings = findings;
  }
}

export const publishProblem = (
  id: string,
  message: string,
  place: Partial<Pick<CheckFinding, 'file' | 'line' | 'action'>> = {},
): CheckFinding => ({
  id,
  severity: 'problem',
  message,
  action: null,
  file: null,
  line: null,
  fixable: false,
  ...place,
});

/** The refusal for one problem. */
export const notPublishable = (...problem: Parameters<typeof publishProblem>) =>
  new NotPublishable([publishProblem(...problem)]);

/** Someone changed the Space in files that a publication would overwrite. */
export class SpaceChangedElsewhere extends DomainError {
  constructor(id: string) {
    super(`The Space ${id} has changes that are not in this folder.`);
  }
}

export class TokenReadOnly extends Conflict {
  constructor(account: string) {
    super(
      `The token of ${account} may only read the hub. Create one with write permission on the hub's website, then sign in with it.`,
    );
  }
}

export class NoHubToken extends DomainError {
  constructor(why = 'There is no token of the hub.') {
    super(
      `${why} Create one with write permission on the hub's website, then set ROBOT_HUB_TOKEN or HF_TOKEN to it, or sign in in the dashboard.`,
    );
  }
}

export class PublicationUnderWay extends DomainError {
  constructor(folder: string) {
    super(`${folder} is being published by another program. Wait until it has ended.`);
  }
}

export class AppNameUnusable extends DomainError {
  /** A similar name that can be used; null: there is none. */
  readonly suggestion: string | null;

  /** @param reason a sentence that names the name */
  constructor(reason: string, suggestion: string | null = null) {
    super(suggestion === null ? reason : `${reason} Try "${suggestion}".`);
    this.suggestion = suggestion;
  }
}

export class DestinationMissing extends NotFound {}

export class DestinationReadOnly extends DomainError {}

export class AppFolderExists extends Conflict {
  constructor(folder: string) {
    super(`${folder} exists already. Nothing was changed. Choose another name or another folder.`);
  }
}

export class AppFolderMissing extends NotFound {
  constructor(path: string, isFile: boolean) {
    super(`${visibleText(path)} ${isFile ? 'is not a folder' : 'does not exist, or may not be read'}. Check the path.`);
  }
}
