import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Set for every process that the daemon starts, so that the next daemon recognizes orphans. */
export const CHILD_MARK_VARIABLE = 'ROBOT_DAEMON_CHILD';

/** The mark for children of the daemon on a data folder; the same for every path to it. */
export async function childMark(dataRoot: string): Promise<string> {
  const path = await realpath(dataRoot).catch(() => resolve(dataRoot));
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}

/** Variables that change how Python runs or where packages go. They were not set for our children. */
const foreign = /^(PIP_|UV_|PYTHON|VIRTUAL_ENV|CONDA_|PIPENV_|POETRY_|NODE_|npm_|ELECTRON_|ROBOT_|INIT_CWD$|__PYVENV)/i;

/** Variables for the SDK in apps: the sound card and the camera or their replacements, the hub of recorded moves, its cache. */
const sdk = /^ROBOT_(AUDIO|CAMERA|HUB_URL$|CACHE_DIR$)/;

/** Variables that say how to reach a package index, and the downloads of Python. Installs need them. */
const network =
  /^(PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|CLIENT_CERT|PROXY|TRUSTED_HOST|DEFAULT_TIMEOUT)|UV_(INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|CACHE_DIR|HTTP_TIMEOUT|PYTHON_INSTALL_MIRROR|PYTHON_DOWNLOADS_JSON_URL))$/;

/**
 * The environment for a child: the daemon's own, cleaned. `ROBOT_KEEP_ENV` lists variables to keep, separated by commas.
 */
export function childEnvironment(parent: NodeJS.ProcessEnv, mark: string): Record<string, string> {
  const kept = new Set((parent['ROBOT_KEEP_ENV'] ?? '').split(',').map((name) => name.trim()));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    if (!foreign.test(name) || network.test(name) || sdk.test(name) || kept.has(name)) environment[name] = value;
  }
  leaveAppImage(environment);
  environment[CHILD_MARK_VARIABLE] = mark;
  // Else an app would crash when it prints text that the system's encoding cannot represent.
  environment['PYTHONIOENCODING'] = 'utf-8';
  return environment;
}

/** Removes an AppImage's own libraries from the search paths: Python needs the system's. */
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
