/** The desktop program runs models in a utility process: its own binary is no plain Node. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimeOf } from '../../daemon/shared/processes/process-identity.ts';
import { writeTinyGguf } from '../../daemon/testing/models/tiny-gguf.ts';
import { expect, startDesktop, test } from './desktop.ts';
import { ProgramProcesses } from './program-processes.ts';

test('a model is served by a utility process, which ends with the killed program', { tag: '@smoke' }, async ({
  dataDir,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'model-runner-'));
  const processes = new ProgramProcesses();
  const { app, exited } = await startDesktop(dataDir, { env: processes.env });
  const options = {
    socketPath: join(folder, 'socket'),
    modelPath: writeTinyGguf(join(folder, 'tiny.gguf')),
    alias: 'tiny',
    ctxSize: null,
    parallel: null,
    mode: 'generation',
    threads: 1,
  };
  const pid = await app.evaluate(async ({ app: it, utilityProcess }, argument) => {
    const program = `${it.getAppPath()}/dist/node/llama-runner.cjs`;
    const child = utilityProcess.fork(program, [argument], { env: {}, stdio: 'pipe', serviceName: 'model' });
    await new Promise<void>((resolve) => child.once('spawn', resolve));
    return child.pid;
  }, JSON.stringify(options));
  await expect.poll(() => healthOf(options.socketPath), { timeout: 40_000 }).toBe(200);
  app.process().kill('SIGKILL');
  await exited;
  await expect.poll(() => startTimeOf(Number(pid))).toBeNull();
  // The guardian writes to the data folder after the kill.
  await expect.poll(() => processes.list(), { timeout: 40_000 }).toEqual([]);
  await rm(folder, { recursive: true });
});

/** The status of the health route; null: nothing listens. */
function healthOf(socketPath: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, path: '/health' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    asking.once('error', () => resolve(null)).end();
  });
}
