import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CardProblemKind } from '../contract/compute/graphics-cards.ts';
import { cardProblem, whyNoCard } from './card-problems.ts';

test.each(CardProblemKind.options)('%s is a sentence with one action', (kind) => {
  const { message, action } = cardProblem(kind, 'X');
  for (const text of [message, action]) expect(text).toMatch(/^[A-Z].*[.X]$/);
});

/** A folder of devices. @param closed files that cannot be opened: links to nothing, which not even root can open */
async function devices(open: readonly string[], closed: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'devices-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'dri'));
  for (const name of open) await writeFile(join(folder, name), '');
  for (const name of closed) await symlink('gone', join(folder, name));
  return folder;
}

test.runIf(process.platform === 'linux').each([
  ['no card', [], [], null],
  ['a card that only shows a picture', ['dri/card0'], [], null],
  ['a card that this user may use', ['dri/card0', 'dri/renderD128'], [], 'no-driver'],
  ['a card that this user may not use', ['dri/card0'], ['dri/renderD128'], 'no-access'],
  ['one of two that may be used', ['dri/renderD128'], ['dri/renderD129'], 'no-driver'],
  ['a card of NVIDIA in a container', ['nvidia0', 'nvidiactl'], [], 'no-driver'],
])('a system with %s', async (_what, open, closed, kind) => {
  const folder = await devices(open, closed);
  expect(await whyNoCard(folder)).toEqual(kind === null ? null : expect.objectContaining({ kind }));
});

test.runIf(process.platform === 'linux')('the devices that may not be opened are named', async () => {
  const folder = await devices([], ['dri/renderD128', 'dri/renderD129']);
  const files = `${folder}/dri/renderD128 and ${folder}/dri/renderD129`;
  expect(await whyNoCard(folder)).toMatchObject({ message: expect.stringContaining(`may not open ${files}.`) });
});

test('a system without a folder of devices has no card', async () => {
  expect(await whyNoCard(join(tmpdir(), 'no-such-folder'), 'linux')).toBeNull();
});

test('Windows and macOS do not tell', async () => {
  expect([await whyNoCard('/dev', 'win32'), await whyNoCard('/dev', 'darwin')]).toEqual(['unknown', 'unknown']);
});
