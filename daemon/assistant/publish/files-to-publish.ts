import { constants } from 'node:fs';
import { access, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderRules, folderRules, isIgnored } from '../../app-package/author/own-files.ts';
import { secretsIn } from '../../app-package/author/secrets.ts';
import { holdsSecrets, isOmitted } from '../../app-package/omitted-files.ts';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';
import { HubError } from '../../hub/errors.ts';
import { checkPaths } from '../../hub/repository-files.ts';
import { succeeds } from '../../shared/async/succeeds.ts';
import { NotPublishable, publishProblem } from '../errors.ts';
import type { LocalFile } from './compare.ts';

/** A file that git knows or would add. */
export interface ListedFile {
  readonly path: string;
  readonly isTracked: boolean;
  /** A repository of its own, of which git keeps only the commit. */
  readonly isRepository: boolean;
}

export interface FilesToPublish {
  readonly files: readonly LocalFile[];
  /** A sentence for each file that is left out although no .gitignore excludes it. */
  readonly omitted: readonly string[];
}

const MAX_FILES = 20_000;
const MAX_BYTES = 2 * 1024 ** 3;
const MAX_PROBLEMS = 100;

/**
 * Lists the files of an app's folder that are to be published: those that no .gitignore excludes, without environments,
 * settings with secrets and what belongs to other tools.
 * @param listed the files that git lists; null: the folder is not in git
 * @param token the one that publishes, which must be in no file; null: unknown
 * @throws NotPublishable for a link, another repository, a secret in a file, a name that other systems do not take, a
 * file that may not be read, and for more than an app may have
 */
export async function filesToPublish(
  folder: string,
  listed: readonly ListedFile[] | null,
  token: string | null,
  signal: AbortSignal,
): Promise<FilesToPublish> {
  const files: LocalFile[] = [];
  const problems: CheckFinding[] = [];
  const omitted = new Map<string, string>();
  const all = listed ?? (await fromWalk(folder, omitted, signal));
  const environments = all.flatMap(({ path }) =>
    path.endsWith('/pyvenv.cfg') ? [path.slice(0, -'pyvenv.cfg'.length)] : [],
  );
  let bytes = 0;
  const add = async ({ path, isTracked, isRepository }: ListedFile) => {
    signal.throwIfAborted();
    const environment = environments.find((each) => path.startsWith(each));
    if (environment !== undefined) return void omitted.set(environment, environmentOmitted(environment));
    const omission = omissionOf(path);
    // The author keeps it in git.
    if (omission !== null && !(omission === 'of-tools' && isTracked)) {
      if (omission === 'secrets') omitted.set(path, `${path} is left out: such files hold secrets.`);
      return;
    }
    if (isRepository) return void problems.push(otherRepository(path));
    const found = await readEntry(folder, path);
    if (found === null) return;
    if ('severity' in found) return void problems.push(found);
    bytes += found.bytes;
    files.push(found);
    if (files.length > MAX_FILES || bytes > MAX_BYTES) throw new NotPublishable([tooLarge()]);
    problems.push(...(await secretFindings(found, token)));
  };
  for (const file of all) {
    await add(file);
    if (problems.length > MAX_PROBLEMS) break;
  }
  problems.push(...nameProblems(files));
  if (problems.length > 0) throw new NotPublishable(problems);
  return { files, omitted: [...omitted.values()] };
}

async function fromWalk(folder: string, omitted: Map<string, string>, signal: AbortSignal): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  const enter = (path: string, names: ReadonlySet<string>) => {
    if (path === '') return true;
    if (omissionOf(path) !== null) return false;
    if (names.has('pyvenv.cfg')) {
      omitted.set(path, environmentOmitted(path));
      return false;
    }
    if (names.has('.git')) listed.push({ path, isTracked: false, isRepository: true });
    return !names.has('.git');
  };
  for await (const path of walkFolder(folder, enter, signal)) {
    listed.push({ path, isTracked: false, isRepository: false });
    if (listed.length > 2 * MAX_FILES) throw new NotPublishable([tooLarge()]);
  }
  return listed;
}

const environmentOmitted = (path: string) => `${path.replace(/\/$/, '')} is left out: a virtual environment.`;

/** @returns the problem that keeps it from being published; null for a file that is gone, or is a folder now */
async function readEntry(folder: string, path: string): Promise<LocalFile | CheckFinding | null> {
  const file = join(folder, ...path.split('/'));
  const found = await lstat(file).catch(() => null);
  if (!found && path.includes('\uFFFD')) {
    return publishProblem('bad-file-name', `The name of ${path} is not UTF-8.`, { action: 'Rename it.' });
  }
  if (!found || found.isDirectory()) return null;
  const problem = (id: string, message: string, action: string) => publishProblem(id, message, { file: path, action });
  if (found.isSymbolicLink()) {
    return problem('link', 'It is a link, which the hub does not store.', 'Replace the link by the file itself.');
  }
  if (!found.isFile()) return problem('not-a-file', 'It is neither a file nor a folder.', 'Remove it.');
  if (!(await succeeds(access(file, constants.R_OK))))
    return problem('unreadable', 'It may not be read.', 'Give your user the right to read it.');
  const isExecutable = process.platform !== 'win32' && (found.mode & 0o100) !== 0;
  return { path, bytes: found.size, isExecutable, content: { file } };
}

const otherRepository = (path: string) =>
  publishProblem('other-repository', 'It is a Git repository of its own, of which a Space would not have the files.', {
    file: path.replace(/\/$/, ''),
    action: 'Put its files into the folder without its .git, or name it in .gitignore.',
  });

const tooLarge = () =>
  publishProblem(
    'too-large',
    `The folder holds more than ${MAX_FILES.toLocaleString('en')} files or 2 GB, more than an app may have.`,
    { action: "Name what does not belong to the app in .gitignore, or choose the app's own folder." },
  );

function nameProblems(files: readonly LocalFile[]): CheckFinding[] {
  try {
    checkPaths(files.map(({ path, bytes }) => ({ path, size: bytes, sha256: null })));
    return [];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return [publishProblem('bad-file-name', error.message.replace(/^[^:]*: /, ''), { action: 'Rename it.' })];
  }
}

/** Files of systems, which a publication leaves out even where no .gitignore names them. */
const ofSystems = new Set(['.ipynb_checkpoints', '.DS_Store', 'Thumbs.db', 'desktop.ini']);
const environments = new Set(['.venv', 'venv']);
/** Drafts of a publication that was interrupted. */
const DRAFT = /^\..*\.unfinished$/;

const KEYS = /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pypirc|\.npmrc)$/i;

type Omission = 'of-tools' | 'environment' | 'secrets';

/**
 * Whether a publication leaves out a file or a folder because of its name.
 * @param path from the app's folder, with slashes
 */
export function omissionOf(path: string): Omission | null {
  const parts = path.split('/');
  if (parts.some((part) => environments.has(part))) return 'environment';
  const name = parts.at(-1) ?? '';
  if (holdsSecrets(name) || KEYS.test(name)) return 'secrets';
  const isOfTools = parts.some((part, at) => isOmitted(part, at === 0) || ofSystems.has(part) || DRAFT.test(part));
  return isOfTools || name.endsWith('.pyc') ? 'of-tools' : null;
}

/** Larger files are data. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Finds tokens and keys in a text file. @param token the one that publishes, a secret whatever its form; null: unknown */
async function secretFindings({ path, bytes, content }: LocalFile, token: string | null): Promise<CheckFinding[]> {
  if (bytes > MAX_TEXT_BYTES || content instanceof Uint8Array) return [];
  const read = await readFile(content.file);
  if (read.includes(0)) return [];
  const text = read.toString('utf8');
  const found = secretsIn(text);
  const [before = '', after] = token === null ? [] : text.split(token, 2);
  if (after !== undefined) found.push({ kind: 'the token of the hub', line: before.split('\n').length });
  return [...new Map(found.map((secret) => [secret.line, secret])).values()].map(({ kind, line }) =>
    publishProblem('secret', `It holds ${kind}, which everyone could read who sees the Space.`, {
      file: path,
      line,
      action: 'Read it from a variable, and revoke this one.',
    }),
  );
}

const MAX_IGNORE_BYTES = 1024 * 1024;

/**
 * Walks through a folder that is not in git, as git would: without what its `.gitignore` files exclude. Follows no links.
 * @param enter whether to go into a folder; `names` are those of its entries
 * @param folder where in `root` the walk begins, with slashes
 * @param above the rules of the folders above, the nearest last
 * @returns the paths of the files, with slashes
 */
async function* walkFolder(
  root: string,
  enter: (path: string, names: ReadonlySet<string>) => boolean,
  signal: AbortSignal,
  folder = '',
  above: readonly FolderRules[] = [],
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  if (!enter(folder, names)) return;
  const own = names.has('.gitignore') ? await textOf(join(root, folder, '.gitignore')) : null;
  const rules = own === null ? above : [...above, folderRules(folder === '' ? '' : `${folder}/`, own)];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git' || isIgnored(entry.isDirectory() ? `${path}/` : path, rules)) continue;
    if (entry.isDirectory()) yield* walkFolder(root, enter, signal, path, rules);
    else yield path;
  }
}

/** @returns null for a file that may not be read, is no file, or is far larger than such a file */
async function textOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes && bytes.length <= MAX_IGNORE_BYTES ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
}
