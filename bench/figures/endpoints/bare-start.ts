import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectDir } from '../../../scripts/environment/project.ts';
import { startChild } from '../../harness/child.ts';
import { monotonicMs } from '../../harness/clock.ts';

const POLL_MS = 10;

/** Starts the bundled program by hand. @returns the milliseconds until it is healthy */
export function bareRunner(modelPath: string, socketPath: string): Promise<number> {
  const options = {
    ...{ socketPath, modelPath, alias: 'tiny', ctxSize: 512, parallel: null, mode: 'generation', pooling: null },
    threads: 1,
  };
  return untilHealthy(
    process.execPath,
    [join(projectDir, 'dist/node/llama-runner.cjs'), JSON.stringify(options)],
    socketPath,
  );
}

/** Starts llama-server by hand. @returns the milliseconds until it is healthy */
export function bareServer(program: string, modelPath: string, socketPath: string): Promise<number> {
  return untilHealthy(program, ['-m', modelPath, '--host', socketPath, '-c', '512', '-t', '1'], socketPath);
}

async function untilHealthy(program: string, args: readonly string[], socketPath: string): Promise<number> {
  await rm(socketPath, { force: true }); // llama-server leaves its socket, and does not listen on a path that exists
  const startedMs = monotonicMs();
  await using child = startChild(program, args);
  child.process.stdout.resume();
  let hasEnded = false;
  void child.exited.then(() => {
    hasEnded = true;
  });
  while (!(await isHealthy(socketPath))) {
    if (hasEnded) throw new Error(`${program} ended before it was healthy.`);
    await sleep(POLL_MS);
  }
  return monotonicMs() - startedMs;
}

function isHealthy(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false)).end();
  });
}
