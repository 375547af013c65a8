const PACKAGE_BEFORE = /^[A-Za-z0-9][\w.-]*(?:\[[\w\s,.-]*\])?\s*@\s*(?=(?:git\+)?(?:https?|ssh|file):)/i;
const SSH_URL = /^(?:git\+)?ssh:\/\/(?:[\w.-]+@)?([\w.-]+)(?::\d{1,5})?(\/.+)$/i;
/** The short form of an address over SSH, as web pages of repositories offer it. */
const SSH_SHORT = /^(?:git\+)?git@([\w.-]+):(?!\/)(.+)$/i;

/**
 * Turns the forms in which pip and web pages give the address of a repository into a plain web address. Repositories are
 * fetched without the user's keys, so one over SSH is looked for at the same place of its server's web address.
 */
export function plainAddress(text: string): string {
  const address = text.replace(PACKAGE_BEFORE, '');
  const [, host, path] = SSH_URL.exec(address) ?? SSH_SHORT.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `https://${host}/${path.replace(/^\//, '')}`;
  return address.replace(/^git\+(?=https?:)/i, '');
}

/** Whether an address has pip's prefix, `git+https://…`. */
export const isPipAddress = (text: string): boolean => /^git\+/i.test(text.trim().replace(PACKAGE_BEFORE, ''));

/**
 * Splits the revision from the end of a path, `/ann/dance.git@v1.0`. An "@" at the beginning of a folder, or before the
 * end ".git", belongs to the path.
 * @param mayHaveSlash whether the revision may be a branch with a slash; without, `/users/ann@home/dance` is a path
 */
export function splitRevision(path: string, mayHaveSlash: boolean): { path: string; revision: string | null } {
  const [, before, revision] = (mayHaveSlash ? /^(.*[^/])@([^@]*)$/ : /^(.*[^/])@([^@/]*)$/).exec(path) ?? [];
  if (before === undefined || revision === undefined || /\.git\/?$/.test(revision)) return { path, revision: null };
  return { path: before, revision };
}
