import { chmod, chown, cp, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { contentsOf, type Damaged, doDamage } from './damages.ts';
import { lineMatching } from './line-matching.ts';
import { rawRequests } from './raw-requests.ts';
import { NO_HUB, robotDaemonProgram } from './test-daemon.ts';

/** The user that the daemon runs as where a file is unreadable: root can read every file. */
export const NOBODY = 65_534;

/** A frame of a stack. */
const STACK = /^\s+at .*[:(]\d+|node:internal/m;
/** The reads that a page makes. */
const READS = ['daemon/status', 'apps/list', 'apps/runs', 'apps/store', 'apps/startup-app', 'jobs', 'hub', 'robot'];
const MORE_READS = ['catalog-source', 'model-files', 'apps/installed/hello_wave/variables', 'apps/output'];

export interface Outcome {
  /** The output of each command. */
  readonly said: readonly string[];
  /** Whether the daemon came up at first, and after the repair. */
  readonly up: readonly boolean[];
  /** The files that changed, or are missing. */
  readonly changed: readonly string[];
}

/** Whether this process may run the daemon as another user, and that user can read the program. */
export async function canRunAsNobody(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const { exitCode } = await execa(process.execPath, [robotDaemonProgram, '--help'], asUser(NOBODY));
  return exitCode === 0;
}

/**
 * Damages a copy of a data folder; then starts the daemon, runs the doctor without and with --fix, and starts the daemon.
 * @param options `commands`: the doctor's runs, by their switches; `user`: runs all of it, and owns the folder;
 *   `sharesTools`: with the tools of other tests, which the doctor checks for seconds
 */
export async function tryDamages(
  dataDir: string,
  damages: readonly Damaged[],
  options: {
    readonly commands?: readonly string[][];
    readonly user?: number | undefined;
    readonly sharesTools?: boolean;
  } = {},
): Promise<Outcome> {
  const { commands = [[], ['--fix']], user, sharesTools = false } = options;
  const copy = `${dataDir}-copy-${Math.random().toString(36).slice(2)}`;
  const more = damages.some(({ path }) => path === 'access-token') ? ['--host', '0.0.0.0'] : [];
  try {
    await cp(dataDir, copy, { recursive: true, verbatimSymlinks: true });
    if (!sharesTools || user !== undefined) await giveOwnTools(copy);
    if (user !== undefined) await giveTo(user, copy);
    const before = await contentsOf(copy);
    const damagedContents: Buffer[] = [];
    for (const damaged of damages) {
      const content = await doDamage(copy, damaged);
      if (content) damagedContents.push(content);
    }
    const said: string[] = [];
    const first = await startAndStop(copy, more, user);
    said.push(first.said);
    for (const switches of commands) {
      const { all } = await execa(
        process.execPath,
        [robotDaemonProgram, 'doctor', ...switches, '--data-dir', copy],
        asUser(user),
      );
      said.push(all);
    }
    const last = await startAndStop(copy, more, user);
    said.push(last.said);
    for (const text of said) expect(text, JSON.stringify(damages)).not.toMatch(STACK);
    const after = await contentsOf(copy);
    const isDamaged = (path: string) => damages.some((each) => path === each.path || path.startsWith(`${each.path}/`));
    const changed = [...before].filter(([path, content]) => !isDamaged(path) && after.get(path) !== content);
    return { said, up: [first.isUp, last.isUp], changed: changed.map(([path]) => path) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** @returns whether the daemon came up, and what it printed; one that did not prints one sentence */
async function startAndStop(dataDir: string, more: string[], user?: number): Promise<{ isUp: boolean; said: string }> {
  const args = ['--sim', '--no-wake-up-on-start', '--hub', NO_HUB, '--port', '0', '--data-dir', dataDir, ...more];
  const child = execa(process.execPath, [robotDaemonProgram, ...args], asUser(user));
  const url = (await lineMatching(child.stdout, / is at (http:\S+)\/$/))?.[1];
  if (!url) {
    const { all } = await child;
    expect(all).toMatch(/^(?:\S+ (?:warn|error) .*\n)*robot-daemon: .*\n$/);
    return { isUp: false, said: all };
  }
  const requests = rawRequests(url.replace('0.0.0.0', '127.0.0.1'));
  for (const path of [...READS, ...MORE_READS]) {
    const { status, body } = await requests.get(`/api/${path}`);
    const isBug = status >= 500 && /^Internal error/.test((body as { error?: string }).error ?? '');
    expect({ path, isBug }, JSON.stringify(body)).toEqual({ path, isBug: false });
  }
  child.kill('SIGTERM');
  const { all, exitCode } = await child;
  expect(exitCode, all).toBe(0);
  return { isUp: true, said: all };
}

function asUser(user?: number) {
  const options = { all: true, reject: false, stripFinalNewline: false, forceKillAfterDelay: false } as const;
  return { ...options, ...(user === undefined ? {} : { uid: user, gid: user, env: { HOME: tmpdir() } }) };
}

async function giveOwnTools(folder: string): Promise<void> {
  for (const name of ['tools', 'cache']) {
    await rm(join(folder, name), { force: true });
    await mkdir(join(folder, name));
  }
}

async function giveTo(user: number, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  await chown(folder, user, user);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!(await lstat(path)).isSymbolicLink()) await chown(path, user, user);
  }
}
