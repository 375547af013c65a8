import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { areas } from '../areas.ts';
import { suitesOfArea } from './area-suites.ts';

beforeEach(() => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium'); // none is looked for, nor downloaded
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The arguments of the journeys of looks, and their variables. */
async function journeysOfLooks(isRepeated: boolean) {
  const calls: { args: readonly string[]; env: NodeJS.ProcessEnv }[] = [];
  for (const suite of suitesOfArea('looks', areas['looks'] ?? expect.fail(), isRepeated)) {
    const ended = suite.run(async (_program, args, env = {}) => {
      calls.push({ args, env });
      return 0;
    });
    await ended.catch(() => {}); // nothing has written a report
  }
  return calls[0] ?? expect.fail('no journey was started');
}

test('a journey that fails is repeated once, but not where its failures are counted', async () => {
  expect((await journeysOfLooks(false)).args).toContain('--retries=1');
  expect((await journeysOfLooks(true)).args).not.toContain('--retries=1');
});

test('the length of its tests is set where the environment sets none, and nothing else', async () => {
  const variables = async () => Object.keys((await journeysOfLooks(false)).env).sort();
  expect(await variables()).toEqual(['CHROMIUM_PATH', 'LOOKS_ALL', 'PLAYWRIGHT_JSON_OUTPUT_FILE']);
  vi.stubEnv('LOOKS_ALL', '');
  expect(await variables()).toEqual(['CHROMIUM_PATH', 'PLAYWRIGHT_JSON_OUTPUT_FILE']);
});
