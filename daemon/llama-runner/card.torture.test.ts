/** The runner with Mesa's software driver as the graphics card. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { driverKey } from '../graphics-cards/driver-key.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { noSoftwareCard, softwareCard } from '../testing/models/software-card.ts';
import { startRunner } from '../testing/models/start-runner.ts';
import { sharedFolder } from '../testing/shared-folder.ts';

/** The cache of the daemon's tests: filling it takes the driver a minute. */
const cache = join(sharedFolder('shader-cache'), await driverKey('', {}));
mkdirSync(cache, { recursive: true });
const variables: Readonly<Record<string, string>> = { ...softwareCard, MESA_SHADER_CACHE_DIR: cache };
const question = { prompt: 'Hello', max_tokens: 8, temperature: 0 };

if (noSoftwareCard !== null) console.warn(`SKIPPED: the runner on a graphics card, since ${noSoftwareCard}`);

describe.skipIf(noSoftwareCard !== null)('on a graphics card the runner', { timeout: 8 * 60_000 }, () => {
  test.each([
    [null, 3],
    [2, 2],
    [99, 3],
  ])('puts layers as told: %j, and answers as on the processor', async (layers, expected) => {
    await using onCard = await startRunner({ card: { layers, maxBytes: null } }, {}, { variables });
    await using onProcessor = await startRunner();
    await Promise.all([onCard.healthy(), onProcessor.healthy()]);
    const [first, second] = [
      await onCard.post('/v1/completions', question),
      await onProcessor.post('/v1/completions', question),
    ];
    expect(first.body.choices).toEqual(second.body.choices);
    process.kill(onCard.child.pid, 'SIGTERM');
    expect((await onCard.output).stderr).toContain(`offloaded ${expected}/3 layers to GPU`);
  });

  test.each([
    [
      'a model that does not fit in what it may take',
      { layers: null, maxBytes: 100_000 },
      variables,
      'The graphics card is out of memory',
    ],
    [
      'a fixed number of layers that does not',
      { layers: 3, maxBytes: 100_000 },
      variables,
      'The graphics card is out of memory',
    ],
    [
      'no memory that it may take',
      { layers: null, maxBytes: 0 },
      variables,
      'The graphics card is out of memory: 0 MiB are free',
    ],
    [
      'a driver without a card',
      { layers: null, maxBytes: null },
      { ...variables, GGML_VK_VISIBLE_DEVICES: '' },
      'No graphics card answers.',
    ],
    [
      'a card that is not there',
      { layers: null, maxBytes: null },
      { ...variables, GGML_VK_VISIBLE_DEVICES: '5' },
      'No graphics card answers.',
    ],
  ])('ends with the reason for %s', { tags: ['smoke'] }, async (_what, card, environment, reason) => {
    await using runner = await startRunner({ card }, {}, { variables: environment });
    expect(await runner.child.exited).toEqual({ code: 1, signal: null });
    expect((await runner.output).stderr).toContain(reason);
  });

  test('lists it where it is named, and only then', { tags: ['smoke'] }, async () => {
    const listed = async (more: Record<string, string>) => {
      const env = { PATH: process.env['PATH'] ?? '', ...more };
      const child = await plainForkNode(join(import.meta.dirname, 'main.ts'), ['--list-cards'], { env });
      const [output, { code }] = await Promise.all([text(child.stdout), child.exited]);
      return { code, ...(JSON.parse(output) as object) };
    };
    expect(await listed(variables)).toMatchObject({
      ...{ code: 0, api: 'vulkan', cards: [{ driver: 'llvmpipe', sharesMemory: false }] },
      totalBytes: expect.any(Number),
    });
    const { GGML_VK_VISIBLE_DEVICES: _, ...unnamed } = variables;
    expect(await listed(unnamed)).toEqual({ code: 0, api: 'vulkan', cards: [], totalBytes: 0, freeBytes: 0 });
  });
});
