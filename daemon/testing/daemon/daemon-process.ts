import { execa } from 'execa';
import { CHILD_MARK_VARIABLE, childMark } from '../../shared/processes/child-environment.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { leaderExit } from '../../shared/processes/start-leader.ts';
import { lineMatching } from './line-matching.ts';
import { NO_HUB, robotDaemonProgram } from './test-daemon.ts';

/** The real daemon in its own process, started like `robot-daemon`; for tests that kill it. */
export interface DaemonProcess {
  readonly url: string;
  readonly process: ReturnType<typeof start>;
  /** The end of its output so far. */
  readonly said: () => string;
  /** Resolves to the exit code once the process has ended; null after a signal. */
  readonly exited: Promise<number | null>;
  /** The living processes that a daemon on this data folder started. */
  children(): Promise<number[]>;
  /** Its guardian; empty: none runs. Not on Windows. */
  guardians(): Promise<number[]>;
  /** Kills it, and waits until its guardian has ended too. */
  kill(): Promise<void>;
}

/** Options that select another robot than the simulated one. */
const robotOptions = ['--emulator', '--auto', '--serial-port'];

/**
 * Starts a daemon, by default with the simulated robot.
 * @param program the command `robot-daemon`, of another checkout too
 * @throws Error with its output when it does not start
 */
export async function startDaemonProcess(
  dataDir: string,
  more: readonly string[] = [],
  program: string = robotDaemonProgram,
): Promise<DaemonProcess> {
  const robot = more.some((option) => robotOptions.includes(option)) ? [] : ['--sim'];
  const hub = more.includes('--hub') ? [] : ['--hub', NO_HUB];
  const child = start([program, ...robot, ...hub, '--port', '0', '--data-dir', dataDir, ...more]);
  const exited = leaderExit(child).then(([code]) => code);
  let said = '';
  // From the first byte: one chunk may hold the line with the address and others.
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000);
    });
  }
  const url = (await lineMatching(child.stdout, / is at (http:\S+)\/$/))?.[1];
  if (!url) throw new Error(`The daemon did not come up (${await exited}): ${said}`);
  return {
    url,
    process: child,
    said: () => said,
    exited,
    children: async () => processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(dataDir)),
    guardians: () => guardiansOf(child.pid ?? 0),
    kill: async () => {
      child.kill('SIGKILL');
      await child; // pending while the guardian has its output open
    },
  };
}

/** @param parent the process of a daemon */
async function guardiansOf(parent: number): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return ppid === parent && line.endsWith('guard.cjs') ? [pid as number] : [];
  });
}

function start(args: readonly string[]) {
  return execa(process.execPath, args, { stdin: 'ignore', buffer: false, reject: false, forceKillAfterDelay: false });
}
