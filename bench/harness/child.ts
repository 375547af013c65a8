import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { leaderExit } from '../../daemon/shared/processes/start-leader.ts';
import { registerCleanup } from './cleanup.ts';

/** A program under measurement. Its disposal sends SIGTERM and waits for the exit. */
export interface Child extends AsyncDisposable {
  readonly process: ReturnType<typeof start>;
  /** Reads the next line of its standard output. @throws Error with its error output when it exits instead */
  line(): Promise<string>;
  /** Settles with the exit code. Never rejects. */
  readonly exited: Promise<number | null>;
}

/** The time limit for the exit after SIGTERM. */
const END_MS = 10_000;

/** Spawns the program first of all, so that a clock read just before the call includes its start. */
export function startChild(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Child {
  const child = start(file, args, env);
  const exited = leaderExit(child).then(([code]) => code);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-5_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    exited,
    line: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ${args.join(' ')} exited too soon (${await exited}): ${errors}`);
      return value;
    },
    ...registerCleanup(async () => {
      child.kill('SIGTERM');
      await exited;
    }),
  };
}

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const stop = { killSignal: 'SIGTERM', forceKillAfterDelay: END_MS } as const;
  return execa(file, args, { env, extendEnv: false, stdin: 'ignore', buffer: false, reject: false, ...stop });
}
