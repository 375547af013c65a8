/** The real runner on a machine whose Vulkan loader cannot be loaded: an empty file is mounted over it, for that process alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { mayMount } from '../testing/disks/small-disk.ts';
import { noSoftwareCard, softwareCard, vulkanLoader } from '../testing/models/software-card.ts';
import { askRunner } from './ask-runner.ts';

const obstacle = noSoftwareCard ?? ((await mayMount()) ? null : 'this user may not mount');
if (obstacle !== null) console.warn(`SKIPPED: the runner without a Vulkan loader, since ${obstacle}`);

const runner = join(import.meta.dirname, '..', 'llama-runner', 'main.ts');
const SCRIPT = 'mount --bind /dev/null "$0" && exec "$@"';

test.skipIf(obstacle !== null)(
  'without a loader the runner tells that it is missing',
  { tags: ['smoke'] },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-loader-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = join(folder, 'runner.cjs');
    const args = ['--mount', 'sh', '-c', SCRIPT, vulkanLoader, process.execPath, runner];
    await writeFile(
      program,
      `const { status } = require('node:child_process').spawnSync('unshare', ${JSON.stringify(args)}.concat(process.argv.slice(2)), { stdio: 'inherit' });
     process.exitCode = status;`,
    );
    const childEnvironment = () => ({ PATH: process.env['PATH'] ?? '' });
    const found = await askRunner(
      { program, forkNode: plainForkNode, childEnvironment, clock: systemClock },
      softwareCard,
    );
    expect(found).toMatchObject({ kind: 'no-loader', action: expect.stringContaining('libvulkan1') });
  },
);
