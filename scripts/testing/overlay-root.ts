import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { lineMatching } from '../../daemon/testing/daemon/line-matching.ts';

/**
 * Runs in a mount namespace and a process namespace of its own. All that is written lies in memory, and also below /mnt. It
 * is not a chroot: there, a browser could not create its sandbox. It ends with its input.
 */
const SCRIPT = `
set -e
mount -t tmpfs -o size=3g tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -m 1777 tmp/.X11-unix
mount --bind "$1/upper" mnt
pivot_root . .
umount -l .
echo ready
exec cat`;

const USER = 'owner';
const DEADLINE_MS = 120_000;

/** A copy of this system's files, in which a test may install programs as root. */
export interface OverlayRoot extends AsyncDisposable {
  /** Runs a program there. @returns its output @throws ExecaError when it fails */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Runs a program there as a user who is not root and has a home folder. */
  asUser(program: string, ...args: readonly string[]): Promise<{ stdout: string; exitCode: number | undefined }>;
  /** Starts one that goes on. */
  startAsUser(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): UsersProgram;
  /** Where a path there can be read from outside. */
  at(path: string): string;
}

interface UsersProgram {
  readonly stdout: Readable;
  /** Settles with its exit code. */
  readonly ended: Promise<number | undefined>;
}

/** @returns why there can be none, a part of a sentence; null: there can */
export async function overlayProblem(): Promise<string | null> {
  if (process.platform !== 'linux') return 'not on Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  return createOverlayRoot().then(
    async (root) => {
      await root[Symbol.asyncDispose]();
      return null;
    },
    (error: Error) => `this system does not allow it: ${error.message.split('\n')[0]}`,
  );
}

export async function createOverlayRoot(): Promise<OverlayRoot> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-overlay-'));
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const holder = execa('unshare', [...namespaces, 'sh', '-c', SCRIPT, 'sh', folder], { buffer: false, reject: false });
  const end = async () => {
    holder.kill('SIGKILL');
    await holder;
    await rm(folder, { recursive: true, force: true });
  };
  if (!(await lineMatching(holder.stdout, /^ready$/))) {
    await end();
    throw new Error('overlayfs or a namespace is refused');
  }
  const pid = (await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')).trim();
  const inside = ['--target', pid, '--mount', '--pid', 'env', '--chdir=/'];
  const user = [...inside, 'runuser', '-u', USER, '--'];
  const usersEnv = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: `/home/${USER}` };
  const run: OverlayRoot['run'] = async (...command) =>
    (await execa('nsenter', [...inside, ...command], { timeout: DEADLINE_MS })).stdout;
  await run('useradd', '--create-home', USER);
  return {
    run,
    asUser: async (...command) => {
      const options = { extendEnv: false, env: usersEnv, timeout: DEADLINE_MS, reject: false } as const;
      const { stdout, exitCode } = await execa('nsenter', [...user, ...command], { ...options, stderr: 'inherit' });
      return { stdout, exitCode };
    },
    startAsUser: (program, args, env = {}) => {
      const options = { extendEnv: false, env: { ...usersEnv, ...env }, reject: false, buffer: false } as const;
      const child = execa('nsenter', [...user, program, ...args], { ...options, stderr: 'inherit' });
      return { stdout: child.stdout, ended: child.then(({ exitCode }) => exitCode) };
    },
    at: (path) => join(`/proc/${pid}/root`, path),
    [Symbol.asyncDispose]: end,
  };
}
