import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { undoable } from './undo.ts';

/** A program under measurement. Its disposal asks it to end and waits until it has. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  /** The next line of its standard output. @throws Error with what it wrote when it ends instead */
  line(): Promise<string>;
  /** Settles with the exit code. Never rejects. */
  readonly exited: Promise<number | null>;
}

/** How long it may take to end after SIGTERM. */
const END_MS = 10_000;

/** Nothing but `spawn` comes before the program, so that a clock read just before this call counts its start. */
export function startChild(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Child {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
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
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      clearTimeout(late);
    }),
  };
}
