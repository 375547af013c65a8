/**
 * The bundled runner: a program of its own that serves one model. Its argument is RunnerOptions as JSON; with `--list-cards`
 * it lists the graphics cards instead.
 */
import { readdirSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { listCards } from './list-cards.ts';
import { loadModel } from './load-model.ts';
import { LIST_CARDS, parseRunnerOptions, type RunnerOptions } from './runner-options.ts';
import { RunnerServer } from './runner-server.ts';

const argument = process.argv.at(-1);
if (argument === LIST_CARDS) {
  endWithParent(() => {});
  lowerPriority();
  void listCards().then(
    () => process.exit(0),
    (error: Error) => fail(error.message),
  );
} else {
  const options = readOptions(argument);
  if (options === null) process.exitCode = 2;
  else void serve(options).catch((error: Error) => fail(`The model cannot be served: ${error.message}`));
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

async function serve(options: RunnerOptions): Promise<void> {
  const server = new RunnerServer(options.alias, () => {
    process.stderr.write('The graphics driver has lost its card. The runner ends.\n', endAtOnce);
  });
  endWithParent(() => server.close());
  lowerPriority();
  process.umask(0o077); // the socket is this user's
  // A runner that was killed leaves its socket.
  if (process.platform !== 'win32') rmSync(options.socketPath, { force: true });
  await server.listen(options.socketPath);
  const started = performance.now();
  const model = await loadModel(options);
  server.ready(model);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`The model is loaded after ${seconds} s: ${model.mode}, context of ${model.contextLength} tokens.`);
}

function readOptions(argument: string | undefined): RunnerOptions | null {
  try {
    return parseRunnerOptions(argument);
  } catch (error) {
    console.error(`The runner's argument is not valid: ${(error as Error).message}`);
    return null;
  }
}

/** By SIGKILL: the native library takes over a second to end in order, and has nothing to save. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends this process when its parent is gone, or asks for it by SIGTERM.
 * @param close removes what would stay behind
 */
function endWithParent(close: () => void): void {
  const end = () => {
    close();
    endAtOnce();
  };
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  parentPort()?.on('close', end);
}

/** Electron's channel to the parent of a utility process; null: this is plain Node. */
function parentPort(): NodeJS.EventEmitter | null {
  return (process as { parentPort?: NodeJS.EventEmitter }).parentPort ?? null;
}

/** Lets everything else on the machine go first, above all the robot's control loop. */
function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // On Linux a priority belongs to a thread; new ones inherit it from the one that starts them.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, PRIORITY_BELOW_NORMAL);
    } catch {} // it has ended
  }
}
