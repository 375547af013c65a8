import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSpaceName, type RequestedSource, SpaceId } from '../../contract/apps/app-source.ts';
import { InstallRequest } from '../../contract/apps/apps.ts';
import { visibleText } from '../../shared/display-text.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { addressProblem } from '../../shared/net/web-address.ts';

interface AddressContext {
  readonly hubUrl: string;
  /** The folder of the apps that are shipped with Robot Desktop. */
  readonly samplesDir: string;
}

/** Characters of a web address that its writer or a program must encode, apart from the space. */
const ENCODED = /[^\x20-\x7e]|["<>\\^`{|}%]/u;
const REVISION = /^(?!.*(?:\.\.|\.lock$|\/$|\/\/|@\{))[A-Za-z0-9][\w./+@-]{0,199}$/;

/**
 * Reads an install address: a Space of the hub, a git repository, or a folder of this machine.
 * Reads the text only: whether the folder exists, or the repository, is not looked at.
 * @param revision takes precedence over one in the address
 * @throws InvalidBody with one sentence when no app can be installed from the address
 */
export function readInstallAddress(
  url: string,
  revision: string | undefined,
  context: AddressContext,
): RequestedSource {
  const text = plainAddress(url.trim());
  const [unfit] = InstallRequest.shape.url.safeParse(text).error?.issues ?? [];
  if (unfit) return refuse(unfit.message);
  refuseControls(text);
  if (revision !== undefined && !REVISION.test(revision)) {
    return refuse('That is not the name of a branch, a tag or a commit.', 'revision');
  }
  if (/^https?:/i.test(text)) return webSource(text, revision, { ...context, isPip: isPipAddress(url) });
  // The id of a Space, as the store shows it.
  if (SpaceId.safeParse(text).success)
    return { kind: 'space', hub: context.hubUrl, id: checkedId(text), revision: revision ?? null };
  if (revision !== undefined) return refuse('A folder has no revisions.', 'revision');
  const path = folderWithin(text);
  const { samplesDir } = context;
  return dirname(path) === samplesDir ? { kind: 'sample', sample: basename(path) } : { kind: 'folder', path };
}

/** The address of a source, in the form that `readInstallAddress` reads. */
export function installAddress(source: RequestedSource, { samplesDir }: Pick<AddressContext, 'samplesDir'>): string {
  switch (source.kind) {
    case 'folder':
      return source.path;
    case 'sample':
      return join(samplesDir, source.sample);
    case 'space':
      return `${source.hub}/spaces/${source.id}${fragment(source.revision, source.subdirectory)}`;
    case 'git':
      return source.url + fragment(source.revision, source.subdirectory);
  }
}

/**
 * The address of an app in a folder below the one of a source.
 * @param below the folder from there, with slashes, `apps/dance`
 */
export function addressBelow(
  source: RequestedSource,
  below: string,
  context: Pick<AddressContext, 'samplesDir'>,
): string {
  if (source.kind === 'git' || source.kind === 'space') {
    const subdirectory = [source.subdirectory, below].filter(Boolean).join('/');
    return installAddress({ ...source, subdirectory }, context);
  }
  return join(installAddress(source, context), below);
}

function fragment(revision: string | null, subdirectory = ''): string {
  const folder = subdirectory && `subdirectory=${subdirectory.replace(/[^\w./~@+-]+/g, encodeURIComponent)}`;
  const text = [revision, folder].filter(Boolean).join('&');
  return text && `#${text}`;
}

function webSource(
  text: string,
  givenRevision: string | undefined,
  { hubUrl, isPip }: AddressContext & { readonly isPip: boolean },
): RequestedSource {
  const hub = new URL(hubUrl);
  const problem = addressProblem(text, { hubOrigin: hub.origin });
  if (problem !== null) return refuse(problem);
  const address = new URL(text);
  const named = readFragment(address.hash);
  const at = splitRevision(address.pathname, isPip || address.origin === hub.origin || /\.git@/.test(address.pathname));
  const revision = givenRevision ?? checkedRevision(at.revision, named.revision);
  if (address.origin === hub.origin) {
    const space = spaceSource(at.path, revision, hubUrl);
    return named.subdirectory ? { ...space, subdirectory: named.subdirectory } : space;
  }
  if (address.search) return refuse('Remove the part after the "?": it would be stored, and may be secret.');
  if (address.pathname === '/') return refuse('The address names a server but no repository.');
  refuseEncoded(at.path);
  address.hash = '';
  address.pathname = at.path;
  return { kind: 'git', url: address.href.replace(/\/+$/, ''), subdirectory: named.subdirectory, revision };
}

/** The revision of an address, after an "@" of its path or in its fragment. */
function checkedRevision(atPath: string | null, inFragment: string | null): string | null {
  if (atPath === null) return inFragment;
  const revision = decode(atPath);
  if (!REVISION.test(revision)) return refuse('What follows the "@" is not the name of a branch, a tag or a commit.');
  if (inFragment !== null && inFragment !== revision) return refuse('The address names two revisions.');
  return revision;
}

function spaceSource(path: string, givenRevision: string | null, hub: string) {
  const [, owner = '', name = '', in_ = '', ...rest] =
    /^\/spaces\/([^/]+)\/([^/]+)(?:\/(tree|blob)\/(.+))?\/?$/.exec(path) ?? [];
  const id = `${owner}/${name.replace(/\.git$/, '')}`;
  if (!SpaceId.safeParse(id).success) {
    return refuse(`An app of the hub is a Space: ${hub}/spaces/<owner>/<name>.`);
  }
  // A branch with a slash cannot be distinguished from a path, so only a branch without a slash is read.
  const [shown = ''] = rest;
  const named = in_ === 'tree' && !shown.includes('/') ? decode(shown) : null;
  const revision = givenRevision ?? named;
  if (revision !== null && !REVISION.test(revision))
    return refuse('That is not the name of a branch, a tag or a commit.');
  return { kind: 'space' as const, hub, id: checkedId(id), revision };
}

/** The id of a Space, if the hub could have one of that name. */
function checkedId(id: string): string {
  return id.split('/').every(isSpaceName) ? id : refuse(`"${id}" cannot be the name of a Space of the hub.`);
}

/**
 * The usual hosts of repositories have no such character in a name, so that one in an address is most likely a mistake. A
 * repository that has one can still be cloned.
 */
function refuseEncoded(path: string): void {
  const [character] = ENCODED.exec(decode(path).normalize('NFC')) ?? [];
  if (character === undefined) return;
  const shown = visibleText(character);
  refuse(`An address with "${shown}" is not supported. Check it, or clone the repository and give its folder.`);
}

/** `#main`, `#subdirectory=apps/dance`, or both with `&` between, in any order. */
function readFragment(hash: string): { revision: string | null; subdirectory: string } {
  const found = { revision: null as string | null, subdirectory: '' };
  for (const part of hash.slice(1).split('&').filter(Boolean)) {
    const text = decode(part);
    const [key, value] = text.split(/=(.*)/s);
    if (key === 'subdirectory' && value !== undefined) found.subdirectory = readSubdirectory(value);
    else if ((key === 'egg' || key === 'name') && value !== undefined)
      continue; // the name of the package
    else if (REVISION.test(text)) found.revision = text;
    else refuse(`"#${text.slice(0, 80)}" is neither a branch, a tag or a commit nor subdirectory=<folder>.`);
  }
  return found;
}

function readSubdirectory(text: string): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const isInside = parts.every((part) => part !== '..' && !/[\\:]/.test(part));
  if (text.startsWith('/') || !isInside) return refuse('The subdirectory must be a folder within the repository.');
  return parts.join('/');
}

/** A folder, or one below it: `/home/ann/apps#subdirectory=dance`. Other folders may have a "#" in their names. */
function folderWithin(text: string): string {
  const [, folder = text, hash = ''] = /^([^#].*?)(#(?:[^#]*&)?subdirectory=[^#]*)$/s.exec(text) ?? [];
  const { revision, subdirectory } = readFragment(hash);
  if (revision !== null) return refuse('A folder has no revisions.');
  return join(folderPath(folder), subdirectory);
}

function folderPath(text: string): string {
  if (/^file:/i.test(text)) {
    let path: string;
    try {
      path = fileURLToPath(text);
    } catch (error) {
      return refuse(`Not a local folder: ${(error as Error).message}.`);
    }
    refuseControls(path);
    return path;
  }
  if (text.startsWith('~/')) return join(homedir(), text.slice(2));
  if (isAbsolute(text)) return resolve(text);
  if (/^git\+file:/i.test(text)) return refuse('A repository on this machine is installed as the folder that it is.');
  const [scheme] = /^[a-z][a-z0-9+.-]{1,20}:/i.exec(text) ?? [];
  if (scheme !== undefined) return refuse(`Use an address that begins with https://, not with "${scheme}".`);
  return refuse('This is neither an https address, nor a Space (owner/name), nor the full path of a folder.');
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    return refuse('The address cannot be decoded.');
  }
  refuseControls(decoded);
  return decoded;
}

/** A control character, which percent-encoding can hide, would be part of the name of a file or an argument. */
function refuseControls(text: string): void {
  if (/\p{Cc}/u.test(text)) refuse('The address contains a control character.');
}

function refuse(message: string, where = 'url'): never {
  throw new InvalidBody(message, [{ path: [where], message }]);
}

const PACKAGE_BEFORE = /^[A-Za-z0-9][\w.-]*(?:\[[\w\s,.-]*\])?\s*@\s*(?=(?:git\+)?(?:https?|ssh|file):)/i;
const SSH_URL = /^(?:git\+)?ssh:\/\/(?:[\w.-]+@)?([\w.-]+)(?::\d{1,5})?(\/.+)$/i;
/** The short form of an address over SSH, as web pages of repositories offer it. */
const SSH_SHORT = /^(?:git\+)?git@([\w.-]+):(?!\/)(.+)$/i;

/**
 * Turns the forms in which pip and web pages give the address of a repository into a plain web address. Repositories are
 * fetched without the user's keys, so one over SSH is looked for at the same place of its server's web address.
 */
function plainAddress(text: string): string {
  const address = text.replace(PACKAGE_BEFORE, '');
  const [, host, path] = SSH_URL.exec(address) ?? SSH_SHORT.exec(address) ?? [];
  if (host !== undefined && path !== undefined) return `https://${host}/${path.replace(/^\//, '')}`;
  return address.replace(/^git\+(?=https?:)/i, '');
}

/** Whether an address has pip's prefix, `git+https://…`. */
const isPipAddress = (text: string): boolean => /^git\+/i.test(text.trim().replace(PACKAGE_BEFORE, ''));

/**
 * Splits the revision from the end of a path, `/ann/dance.git@v1.0`. An "@" at the beginning of a folder, or before the
 * end ".git", belongs to the path.
 * @param mayHaveSlash whether the revision may be a branch with a slash; without, `/users/ann@home/dance` is a path
 */
function splitRevision(path: string, mayHaveSlash: boolean): { path: string; revision: string | null } {
  const [, before, revision] = (mayHaveSlash ? /^(.*[^/])@([^@]*)$/ : /^(.*[^/])@([^@/]*)$/).exec(path) ?? [];
  if (before === undefined || revision === undefined || /\.git\/?$/.test(revision)) return { path, revision: null };
  return { path: before, revision };
}
