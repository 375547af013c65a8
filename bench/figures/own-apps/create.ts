import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { alternate } from '../../harness/samples.ts';

const MOST_MS = 300;
const DEADLINE_MS = 30_000;

/** The time to create an app in a terminal. */
export const create: Figure = {
  name: 'create',
  measures: 'the process `robot-app-assistant create`, from its spawn to its exit, for each template',
  beside: 'the process `cp -r` of the created folder',
  measure: async ({ quick }) => {
    const root = await mkdtemp(join(tmpdir(), 'robot-desktop-bench-create-'));
    await using _root = registerCleanup(() => rm(root, { recursive: true, force: true }));
    const rows = [];
    for (const template of ['default', 'conversation']) {
      const model = join(root, `model_${template}`);
      await createInto(root, `model ${template}`, template);
      let turn = 0;
      const taken = await alternate(
        quick ? 2 : 30,
        () => {
          turn += 1;
          return createInto(root, `app ${template} ${turn}`, template);
        },
        () => copyMs(model, join(root, `copy_${template}_${turn}`)),
      );
      rows.push(row(`create, ${template}`, 'ms', taken, () => ({ text: `≤ ${MOST_MS} ms`, most: MOST_MS })));
    }
    return rows;
  },
};

const createInto = (folder: string, name: string, template: string) =>
  tookMs(process.execPath, [
    join(projectDir, 'bin', 'robot-app-assistant.cjs'),
    ...['create', name, folder, '--template', template],
  ]);

/** Windows has no `cp`. */
async function copyMs(from: string, to: string): Promise<number> {
  if (process.platform !== 'win32') return tookMs('cp', ['-r', from, to]);
  const startMs = performance.now();
  await cp(from, to, { recursive: true });
  return performance.now() - startMs;
}

async function tookMs(file: string, args: readonly string[]): Promise<number> {
  const startMs = performance.now();
  await execa(file, args, { stdin: 'ignore', timeout: DEADLINE_MS });
  return performance.now() - startMs;
}
