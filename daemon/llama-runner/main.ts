/** The bundled runner: a program of its own that serves one model. Its argument is RunnerOptions as JSON. */
import { rmSync } from 'node:fs';
import { endWithParent } from './ending.ts';
import { lowerPriority } from './low-priority.ts';
import { loadModel } from './model/load-model.ts';
import { parseRunnerOptions, type RunnerOptions } from './runner-options.ts';
import { RunnerServer } from './runner-server.ts';

const options = readOptions();
if (options === null) {
  process.exitCode = 2;
} else {
  void serve(options).catch((error: Error) => {
    console.error(`The model cannot be served: ${error.message}`);
    process.exit(1);
  });
}

async function serve(options: RunnerOptions): Promise<void> {
  const server = new RunnerServer(options.alias);
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

function readOptions(): RunnerOptions | null {
  try {
    return parseRunnerOptions(process.argv.at(-1));
  } catch (error) {
    console.error(`The runner's argument is not valid: ${(error as Error).message}`);
    return null;
  }
}
