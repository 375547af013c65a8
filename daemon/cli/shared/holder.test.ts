import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startTimeOf } from '../../shared/processes/process-identity.ts';
import { newDataFolder, recordInstance } from '../../testing/terminal/scripted-daemon.ts';
import { tokenOf } from './holder.ts';

const TOKEN = 'a-token-of-more-than-20-characters';

async function tokenFor(options: Record<string, string | boolean | null> | null, startTime: string | null) {
  const paths = await newDataFolder();
  await writeFile(paths.accessTokenFile, `${TOKEN}\n`);
  return tokenOf(await recordInstance(paths, { pid: process.pid, startTime, options }), paths);
}

test('commands send the access token only to a daemon that asks this machine for one', async () => {
  const startTime = await startTimeOf(process.pid);
  expect(await tokenFor({ requireToken: true }, startTime)).toBe(TOKEN);
  expect(await tokenFor({ behindProxy: '127.0.0.1' }, startTime)).toBe(TOKEN);
  expect(await tokenFor({ requireToken: false, behindProxy: null }, startTime)).toBe(undefined);
  expect(await tokenFor(null, startTime)).toBe(undefined);
});

test('it is not sent once the daemon has ended: another program could listen at its address', async () => {
  expect(await tokenFor({ requireToken: true }, 'of an earlier process')).toBe(undefined);
  expect(await tokenFor({ requireToken: true }, null)).toBe(undefined);
});
