import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { leaderExit } from '../../daemon/shared/processes/start-leader.ts';
import { undoable } from './undo.ts';

/** A program under measurement. Its disposal asks it to end and waits until it has. */
export interface Child extends AsyncDisposable {
  readonly process: ReturnType<typeof start>;
  /** The next line of its standard output. @throws Error with what it wrote when it ends instead */
  line(): Promise<string>;
  /** Settles with the exit code. Never rejects. */
  readonly exited: Promise<number | null>;
}

/** How long it may take to end after SIGTERM. */
const END_MS = 10_000;

/** Nothing comes before the program, so that a clock read just before this call counts its start. */
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
      if (done) throw new Error(`${file} ${args.join(' ')} ended too soon (${await exited}): ${errors}`);
      return value;
    },
    ...undoable(async () => {
      child.kill('SIGTERM');
      await exited;
    }),
  };
}

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const stop = { killSignal: 'SIGTERM', forceKillAfterDelay: END_MS } as const;
  return execa(file, args, { env, extendEnv: false, stdin: 'ignore', buffer: false, reject: false, ...stop });
}
