import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import VitestReport from './vitest-report.ts';

test('hooks that fail, also those of a describe, are failures with a name', async () => {
  const module = { relativeModuleId: 'a.test.ts', errors: () => [{ message: 'of the file' }], meta: () => ({}) };
  const suite = { module, fullName: 'a door', errors: () => [{ message: 'of beforeAll' }] };
  const children = { allTests: () => [], allSuites: () => [suite] };
  const folder = await mkdtemp(join(tmpdir(), 'report-'));
  const file = join(folder, 'report.json');
  vi.stubEnv('TEST_REPORT', file);
  vi.stubEnv('TEST_TAG', undefined);
  try {
    new VitestReport().onTestRunEnd([{ ...module, children } as unknown as TestModule], []);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      failed: 2,
      failures: ['a.test.ts\n    of the file', 'a.test.ts › a door\n    of beforeAll'],
    });
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});
