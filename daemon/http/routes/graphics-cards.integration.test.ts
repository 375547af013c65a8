/** The graphics cards over real HTTP, read without a look at them: what this machine has does not matter. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoredCards } from '../../graphics-cards/graphics-cards.ts';
import { readJsonFile } from '../../shared/files/json-file.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';

const KNOWN = '/api/graphics-cards?measure=false';
let dataDir: string;
let checked: CheckedDaemon;
const stored = () => readJsonFile(join(dataDir, 'graphics-cards.json'), StoredCards);

beforeAll(async () => {
  dataDir = await newDataDir();
  checked = await startCheckedDaemon({ dataDir });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test('without a look none is known, no driver is asked, and nothing is saved', async () => {
  const { status, body } = await checked.ask('GET', KNOWN, { token: null });
  expect({ status, body }).toEqual({
    status: 200,
    body: { isOn: true, cards: [], usagePercent: null, problem: null, canTryAgain: false },
  });
  expect(await stored()).toBeNull();
});

test('whether they are measured is true or false', async () => {
  const { status, body } = await checked.ask('GET', '/api/graphics-cards?measure=perhaps', { token: null });
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ path: ['measure'] }] } });
});

test('they are switched off for good by who may deploy everywhere, and by nobody else', async () => {
  const off = { isOn: false };
  const some = await checked.newToken({ namespaces: ['lab'] });
  expect((await checked.ask('PUT', '/api/graphics-cards', { token: some, body: off })).status).toBe(403);
  expect((await checked.ask('PUT', '/api/graphics-cards', { token: null, body: off })).status).toBe(401);
  expect((await checked.ask('PUT', '/api/graphics-cards', { body: { isOn: 'off' } })).status).toBe(400);
  expect((await checked.ask('GET', KNOWN, { token: null })).body).toMatchObject({ isOn: true });
  expect(await checked.ask('PUT', '/api/graphics-cards', { body: off })).toMatchObject({ status: 200, body: off });
  expect((await checked.ask('GET', KNOWN, { token: null })).body).toMatchObject(off);
  expect(await stored()).toMatchObject(off);
});
