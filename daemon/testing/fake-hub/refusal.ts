/** An unsuccessful answer of the hub. */
export class Refusal extends Error {
  readonly status: number;
  /** For `X-Error-Code`. */
  readonly code: string | null;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, code: string | null = null, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** Without credentials, a caller does not learn whether the repository exists. */
export const repoNotFound = (signedIn: boolean) =>
  signedIn
    ? new Refusal(404, 'Repository not found', 'RepoNotFound')
    : new Refusal(401, 'Invalid username or password.', 'RepoNotFound');
export const revisionNotFound = (revision: string) =>
  new Refusal(404, `Invalid rev id: ${revision}`, 'RevisionNotFound');
export const entryNotFound = (message = 'Entry not found') => new Refusal(404, message, 'EntryNotFound');
export const forbidden = (message: string) => new Refusal(403, message);
export const gated = (name: string, signedIn: boolean) =>
  new Refusal(signedIn ? 403 : 401, `Access to model ${name} is restricted.`, 'GatedRepo');
export const notSignedIn = () => new Refusal(401, 'Invalid username or password.');
