import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { NoHubToken } from '../errors.ts';
import { hubTokenForAssistant, type TokenSources } from './hub-token-for-assistant.ts';

const HUB = 'https://hub.example';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sources = (more: Partial<TokenSources> = {}): TokenSources => ({
  environment: {},
  hubUrl: HUB,
  hubTokenFile: join(folder, 'hub-token.json'),
  secretKeyFile: join(folder, 'secret.key'),
  ask: null,
  ...more,
});
const keep = async (hub: string, sealed?: string) => {
  const text = sealed ?? (await keyFileSecretStore(join(folder, 'secret.key')).encrypt('hf_stored'));
  await writeFile(join(folder, 'hub-token.json'), JSON.stringify({ hub, name: 'ada', sealed: text }));
};
/** The text that a person reads before they type a token. */
async function askedWith(more: Partial<TokenSources> = {}) {
  let reason: string | null | undefined;
  const ask = async (why: string | null) => {
    reason = why;
    return ' hf_typed ';
  };
  return [await hubTokenForAssistant(sources({ ask, ...more })), reason];
}

test('a variable comes before the token of the daemon, and that before a person', async () => {
  await keep(HUB);
  const environment = { ROBOT_HUB_TOKEN: ' ', HF_TOKEN: 'hf_variable' };
  expect(await hubTokenForAssistant(sources({ environment }))).toEqual({ token: 'hf_variable', from: 'HF_TOKEN' });
  expect(await askedWith()).toEqual([{ token: 'hf_stored', from: 'data-folder' }, undefined]);
});

test('the token of another hub is not used', async () => {
  await keep('https://other.example');
  expect(await askedWith()).toEqual([{ token: 'hf_typed', from: 'person' }, null]);
});

test.each([
  ['of the window', 'keychain', async () => keep(HUB, 'djEwabcdef')],
  ['of a lost key', 'decrypted', async () => keep(HUB).then(() => rm(join(folder, 'secret.key')))],
  ['in a damaged file', 'cannot be read', async () => writeFile(join(folder, 'hub-token.json'), '{')],
])('a token %s: the person reads why', async (_, word, prepare) => {
  await prepare();
  expect(await askedWith()).toEqual([{ token: 'hf_typed', from: 'person' }, expect.stringContaining(word)]);
  const refused = hubTokenForAssistant(sources());
  await expect(refused).rejects.toThrow(NoHubToken);
  await expect(refused).rejects.toThrow(word);
});

test('without any token the error says what to do', async () => {
  await expect(hubTokenForAssistant(sources())).rejects.toThrow(
    "There is no token of the hub. Create one with write permission on the hub's website, then set ROBOT_HUB_TOKEN or HF_TOKEN to it, or sign in in the dashboard.",
  );
});
