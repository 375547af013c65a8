import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { JobQueue } from './job-queue.ts';
import { jobStore } from './job-store.ts';

test.each(['', '{"jobs": [', '{"jobs": [{"job": {}}]}'])(
  'a damaged file (%j) is kept, and jobs go on',
  async (text) => {
    const folder = await mkdtemp(join(tmpdir(), 'jobs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'jobs.json');
    await writeFile(file, text);
    const log = createLogger('error', () => {});
    const store = jobStore(file, log);
    const jobs = new JobQueue({ store, dataDir: folder, publish: () => {}, clock: systemClock, log });
    await jobs.load();
    const { id } = jobs.add({ kind: 'install-app', subject: 'a', steps: [], work: async () => {} });
    await jobs.ended(id);
    await jobs.close();
    expect((await store.load()).map(({ job }) => job.id)).toEqual([id]);
    const [, aside = ''] = (await readdir(folder)).sort();
    expect(aside).toMatch(/^jobs\.json\.damaged-/);
    expect(await readFile(join(folder, aside), 'utf8')).toBe(text);
  },
);
