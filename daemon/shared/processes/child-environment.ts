import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Every process that the daemon starts carries this variable, so that the next daemon knows it for an orphan. */
export const CHILD_MARK_VARIABLE = 'ROBOT_DAEMON_CHILD';

/** The mark of the children of the daemon with that data folder, under whatever name it is reached. */
export async function childMark(dataRoot: string): Promise<string> {
  const path = await realpath(dataRoot).catch(() => resolve(dataRoot));
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}

/** What changes how Python runs or where packages land: it was set for something else than our children. */
const foreign = /^(PIP_|UV_|PYTHON|VIRTUAL_ENV|CONDA_|PIPENV_|POETRY_|NODE_|npm_|ELECTRON_|ROBOT_|INIT_CWD$|__PYVENV)/i;

/** What says which sound card apps use, or what takes its place. */
const sound = /^ROBOT_AUDIO/;

/** What says how to reach a package index is set on purpose, and an install without it fails. */
const network =
  /^(PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|CLIENT_CERT|PROXY|TRUSTED_HOST|DEFAULT_TIMEOUT)|UV_(INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|CACHE_DIR|HTTP_TIMEOUT))$/;

/**
 * The environment for a child of the daemon: its own, cleaned. `ROBOT_KEEP_ENV` names, with commas between, what a
 * user wants to be kept all the same.
 */
export function childEnvironment(parent: NodeJS.ProcessEnv, mark: string): Record<string, string> {
  const kept = new Set((parent['ROBOT_KEEP_ENV'] ?? '').split(',').map((name) => name.trim()));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    if (!foreign.test(name) || network.test(name) || sound.test(name) || kept.has(name)) environment[name] = value;
  }
  leaveAppImage(environment);
  environment[CHILD_MARK_VARIABLE] = mark;
  // Where the system's encoding cannot write what an app prints, printing would end the app.
  environment['PYTHONIOENCODING'] = 'utf-8';
  return environment;
}

/** An AppImage puts its own libraries before the system's, for itself; Python must find the system's. */
function leaveAppImage(environment: Record<string, string>): void {
  const { APPDIR: mount } = environment;
  if (!mount) return;
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR']) {
    const rest = (environment[name] ?? '').split(':').filter((folder) => folder && !folder.startsWith(mount));
    if (rest.length > 0) environment[name] = rest.join(':');
    else delete environment[name];
  }
  for (const name of ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']) delete environment[name];
}
