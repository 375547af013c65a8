import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { llamaServerForTests } from '../../../daemon/testing/models/llama-server-program.ts';
import { projectDir } from '../../../scripts/environment/project.ts';
import { startChild } from '../../harness/child.ts';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import type { Row } from '../../harness/rows.ts';
import { alternate } from '../../harness/samples.ts';
import { startEndpointBench } from './endpoint-bench.ts';

const POLL_MS = 10;

/** The time that a sleeping endpoint takes to answer. */
export const wakeUp: Figure = {
  name: 'wake-up',
  measures: 'from a chat request to a sleeping endpoint of a tiny model to its whole answer of one token',
  beside: 'the same program started by hand with the same model, until it is healthy',
  measure: async ({ quick }) => {
    const llamaServer = await llamaServerForTests();
    const rows: Row[] = [];
    for (const program of ['none', llamaServer]) {
      if (program === null) continue;
      const name = program === 'none' ? 'bundled program' : 'llama-server';
      await using bench = await startEndpointBench(program);
      const { endpoint, modelPath, daemon } = bench;
      const socketPath = join(daemon.dataDir, 'bare.sock');
      const taken = await alternate(
        quick ? 1 : 10,
        async () => {
          await endpoint.command('scale-to-zero');
          await endpoint.until('scaledToZero');
          const askedMs = monotonicMs();
          const answer = await endpoint.chat({ max_tokens: 1 });
          await answer.text();
          const tookMs = monotonicMs() - askedMs;
          if (!answer.ok) throw new Error(`The endpoint answered ${answer.status}.`);
          await endpoint.until('running');
          return tookMs;
        },
        () => (program === 'none' ? bareRunner(modelPath, socketPath) : bareServer(program, modelPath, socketPath)),
      );
      rows.push(row(`wake-up, ${name}`, 'ms', taken));
    }
    return rows;
  },
};

function bareRunner(modelPath: string, socketPath: string): Promise<number> {
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

function bareServer(program: string, modelPath: string, socketPath: string): Promise<number> {
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
