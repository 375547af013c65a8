/** The reset of an app and its undo, over real HTTP; each answer is checked against the contract. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';

const APP = '/api/apps/installed/dance';
let dataDir: string;
let checked: CheckedDaemon;
const ask: CheckedDaemon['ask'] = (...what) => checked.ask(...what);
const scores = () => join(dataDir, 'apps', 'dance', 'files', 'scores.json');
const setMood = () => ask('PUT', `${APP}/variables/MOOD`, { body: { value: 'merry', secret: false } });

beforeAll(async () => {
  dataDir = await newDataDir();
  await haveInstalled(await appsIn(dataDir), appNamed('dance'));
  checked = await startCheckedDaemon({ dataDir });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test('an app is reset, and the reset is undone; what it has saved since is replaced only where that is asked for', async () => {
  expect(await ask('POST', `${APP}/reset`)).toMatchObject({
    status: 409,
    body: { error: '"dance" has saved no files, and has no variables.' },
  });
  await setMood();
  await mkdir(join(scores(), '..'), { recursive: true });
  await writeFile(scores(), '12345');
  const largest = [{ path: 'scores.json', bytes: 5, besideCode: false }];
  expect((await ask('GET', `${APP}/reset`)).body).toEqual({
    contents: { files: 1, bytes: 5, largest, variables: ['MOOD'] },
    setAside: null,
  });
  const done = await ask('POST', `${APP}/reset`);
  expect(done).toMatchObject({ status: 200, body: { name: 'dance', reset: { at: expect.any(String) } } });
  expect((await ask('GET', `${APP}/variables`)).body).toEqual([]);
  expect((await ask('GET', `${APP}/reset`)).body).toEqual({
    contents: { files: 0, bytes: 0, largest: [], variables: [] },
    setAside: { ...done.body.reset, files: 1, bytes: 5, variables: ['MOOD'] },
  });

  await ask('PUT', `${APP}/variables/NEW`, { body: { value: '1', secret: false } });
  expect(await ask('POST', `${APP}/reset/undo`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('since: 1 variable'), code: 'saved-since-reset' },
  });
  const undone = await ask('POST', `${APP}/reset/undo?replace=true`);
  expect(undone).toMatchObject({ status: 200, body: { name: 'dance', reset: null } });
  expect((await ask('GET', `${APP}/variables`)).body).toEqual([{ name: 'MOOD', value: 'merry', secret: false }]);
  expect(await readFile(scores(), 'utf8')).toBe('12345');
  const again = await ask('POST', `${APP}/reset/undo`);
  expect(again).toMatchObject({ status: 409, body: { error: expect.stringMatching(/^There is no reset of "dance"/) } });
  expect(again.body).not.toHaveProperty('code');
});

test('variables that are damaged are said so once, and the reset is as before', async () => {
  await writeFile(join(dataDir, 'apps', 'dance', 'variables.json'), '{"variables":');
  expect(await ask('GET', `${APP}/reset`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('were damaged and have been set aside') },
  });
  expect((await ask('GET', `${APP}/reset`)).body.contents).toMatchObject({ files: 1, variables: [] });
});
