import { expect, test } from 'vitest';
import type { AppSource, RequestedSource } from '../contract/apps/app-source.ts';
import { isSameApp } from './same-app.ts';

const folder: RequestedSource & AppSource = { kind: 'folder', path: '/home/ann/hello' };
const space = (id: string, hub = 'https://hub.example'): AppSource => ({
  ...{ kind: 'space', hub, id, revision: null, commit: 'a'.repeat(40) },
});
const published = async () => ['https://hub.example/spaces/ann/hello.git'];

test.each<[string, AppSource, RequestedSource, boolean]>([
  ['its Space over a folder', folder, space('ann/hello'), true],
  ['a folder over its Space', space('ann/hello'), folder, true],
  ['its Space, spelled otherwise', folder, space('Ann/Hello'), true],
  ['the Space of somebody else', folder, space('bob/hello'), false],
  ['a Space of the same name on another hub', folder, space('ann/hello', 'https://other.example'), false],
  ['another folder', folder, { kind: 'folder', path: '/home/ann/hello2' }, false],
  ['two Spaces', space('ann/hello'), space('ann/hello2'), false],
  ['a sample', { kind: 'sample', sample: 'hello' }, folder, false],
])('%s', async (_, installed, wanted, isSame) => {
  expect(await isSameApp(installed, wanted, published)).toBe(isSame);
});

test('a folder that was not published is like no Space', async () => {
  expect(await isSameApp(folder, space('ann/hello'), async () => [])).toBe(false);
  expect(await isSameApp(folder, space('ann/hello'), async () => ['not an address', '/a/folder'])).toBe(false);
});
