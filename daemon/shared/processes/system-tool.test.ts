import { expect, test } from 'vitest';
import { askSystemTool } from './system-tool.ts';

test('returns the output of a tool in the given environment, also when it fails', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ROBOT_TEST: 'given' };
  expect(await askSystemTool('sh', ['-c', 'echo $ROBOT_TEST; exit 1'], { env })).toBe('given\n');
});

test('returns an empty text for a missing tool', async () => {
  expect(await askSystemTool('no-such-tool', [])).toBe('');
});

test('does not wait for a tool that hangs', async () => {
  const startMs = performance.now();
  expect(await askSystemTool('sh', ['-c', 'trap "" TERM; echo first; exec sleep 60'], { timeoutMs: 200 })).toBe(
    'first\n',
  );
  expect(performance.now() - startMs).toBeLessThan(5_000);
});
