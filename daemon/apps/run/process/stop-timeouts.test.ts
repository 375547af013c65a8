import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forcedStop, gracefulStop, reloadStop, shutdownStop } from './stop-timeouts.ts';

const project = join(import.meta.dirname, '..', '..', '..', '..');

test('each kind of stop has the times that the documentation tells', async () => {
  expect({ gracefulStop, reloadStop, shutdownStop, forcedStop }).toEqual({
    gracefulStop: { interruptGroupMs: 2_000, killMs: 20_000 },
    reloadStop: { interruptGroupMs: 1_000, killMs: 5_000 },
    shutdownStop: { interruptGroupMs: 500, killMs: 2_000 },
    forcedStop: { interruptGroupMs: 0, killMs: 0 },
  });
  const [readme, rules, decision] = await Promise.all(
    ['README.md', 'docs/check-rules.md', 'docs/adr/0009-a-stop-that-leaves-nothing.md'].map((path) =>
      readFile(join(project, path), 'utf8'),
    ),
  );
  const seconds = gracefulStop.killMs / 1_000;
  expect(readme).toContain(`after ${seconds} s the app is killed`);
  expect(rules).toContain(`killed after ${seconds} seconds`);
  expect(decision).toContain(`after ${seconds} s SIGKILL to the group`);
});
