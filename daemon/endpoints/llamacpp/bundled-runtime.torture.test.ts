import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { plainForkNode } from '../../shared/processes/fork-node.ts';
import { processesInGroup } from '../../shared/processes/processes.ts';
import { withoutContainers } from '../../testing/containers/without-containers.ts';
import { noGraphicsCards } from '../../testing/models/no-graphics-cards.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { tinyGguf } from '../../testing/models/tiny-gguf.ts';
import { Runtimes } from '../runtimes.ts';

async function start(file: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'bundled-'));
  const modelPath = join(folder, 'model.gguf');
  await writeFile(modelPath, file);
  const runtimes = new Runtimes({
    ...withoutContainers,
    cards: noGraphicsCards,
    llamaServer: 'none',
    runtimesDir: folder,
    runner: join(import.meta.dirname, '../../llama-runner/main.ts'),
    forkNode: plainForkNode,
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    platform: process.platform,
    arch: process.arch,
    hasRelease: async () => false,
  });
  const plain = partsNamed('a');
  const parts = {
    ...plain,
    model: { ...plain.model, image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: '/x', ctxSize: 256 } } },
  };
  const runtime = await runtimes.forEndpoint(parts, { servedInContainer: false });
  if ('problem' in runtime) throw new Error(runtime.problem);
  const socketPath = join(folder, 'a.sock');
  const files = { modelPath, mmprojPath: null, draftPath: null, facts: tinyFacts };
  const model = { kind: 'gguf', files } as const;
  const names = { id: '1', endpoint: 'lab/chat', socketPath };
  const replica = await runtime.start({
    ...names,
    parts,
    model,
    variables: {},
    threads: 1,
    card: null,
    onLine: () => {},
  });
  onTestFinished(async () => {
    await replica.stop();
    await rm(folder, { recursive: true });
  });
  return replica;
}

test('the bundled runner becomes healthy, and is gone after a stop', async () => {
  const replica = await start(tinyGguf());
  await vi.waitFor(async () => expect(await replica.isHealthy(5_000), replica.log.join('\n')).toBe(true), {
    ...{ timeout: 60_000, interval: 50 },
  });
  expect(await replica.memoryBytes()).toBeGreaterThan(10e6);
  await replica.stop();
  await replica.exited;
  expect(await processesInGroup(replica.pid ?? 0)).toEqual([]);
});

test('a damaged file ends it with a line that says why', async () => {
  const replica = await start(tinyGguf().subarray(0, 20_000));
  expect(await replica.exited).toMatchObject({ reason: 'model-damaged' });
  expect(replica.log.join('\n')).toMatch(/failed to load model|corrupted|not within/i);
});
