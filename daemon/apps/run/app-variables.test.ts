/** The variables of an app, on a real disk and with a real key file. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { createLogger } from '../../shared/logger.ts';
import { AppNotInstalled } from '../installed/errors.ts';
import { AppVariables, MAX_CHARACTERS, MAX_VARIABLES } from './app-variables.ts';
import { VariablesDamaged, VariablesUnreadable } from './errors.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-variables-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});
const variablesOf = (keyFile = 'key') =>
  new AppVariables({
    folderOf: (name) => {
      if (name !== 'dance') throw new AppNotInstalled(name);
      return folder;
    },
    secrets: keyFileSecretStore(join(folder, keyFile)),
    log: createLogger('error', () => {}),
  });
const file = () => join(folder, 'variables.json');
const plain = (value: string) => ({ value, secret: false });
const secret = (value: string) => ({ value, secret: true });

test('variables are stored, listed by name, and given to the app; a secret is never listed', async () => {
  const variables = variablesOf();
  await variables.set('dance', 'ROOM', plain('kitchen'));
  const all = [
    { name: 'HF_TOKEN', value: null, secret: true },
    { name: 'ROOM', value: 'kitchen', secret: false },
  ];
  expect(await variables.set('dance', 'HF_TOKEN', secret('hf_abcdef'))).toEqual(all);
  expect(await readFile(file(), 'utf8')).not.toContain('hf_abcdef');

  const later = variablesOf();
  expect(await later.list('dance')).toEqual(all);
  expect(await later.environment('dance')).toEqual({
    environment: { HF_TOKEN: 'hf_abcdef', ROOM: 'kitchen' },
    secrets: ['hf_abcdef'],
  });
});

test('a variable can be set again and removed; removing an unknown one does nothing', async () => {
  const variables = variablesOf();
  await variables.set('dance', 'ROOM', secret('kitchen'));
  await variables.set('dance', 'ROOM', plain('cellar'));
  expect(await variables.environment('dance')).toEqual({ environment: { ROOM: 'cellar' }, secrets: [] });
  expect(await variables.remove('dance', 'ROOM')).toEqual([]);
  expect(await variables.remove('dance', 'ROOM')).toEqual([]);
});

test('an app without variables starts with none; those of an unknown app are refused', async () => {
  const variables = variablesOf();
  expect(await variables.environment('dance')).toEqual({ environment: {}, secrets: [] });
  await expect(variables.list('wave')).rejects.toBeInstanceOf(AppNotInstalled);
  await expect(variables.set('wave', 'A', plain('b'))).rejects.toBeInstanceOf(AppNotInstalled);
});

test('concurrent changes are all applied', async () => {
  const variables = variablesOf();
  const names = Array.from({ length: 30 }, (_, index) => `V${String(index).padStart(2, '0')}`);
  await Promise.all(names.map((name) => variables.set('dance', name, plain(name))));
  expect((await variables.list('dance')).map(({ name }) => name)).toEqual(names);
});

test('their number and length are bounded, and a refusal changes nothing', async () => {
  const variables = variablesOf();
  const kept = Array.from({ length: MAX_VARIABLES }, (_, index) => ({ name: `V${index}`, value: '', secret: false }));
  await writeFile(file(), JSON.stringify({ variables: kept }));
  await expect(variables.set('dance', 'ONE_MORE', plain('1'))).rejects.toBeInstanceOf(InvalidBody);
  const long = plain('x'.repeat(MAX_CHARACTERS / 4));
  for (const name of ['V1', 'V2', 'V3', 'V4']) await variables.set('dance', name, long);
  const before = await variables.list('dance');
  await expect(variables.set('dance', 'V5', plain('x'))).rejects.toBeInstanceOf(InvalidBody);
  await expect(variables.set('dance', 'V6', plain('a\0b'))).rejects.toBeInstanceOf(InvalidBody);
  expect(await variables.list('dance')).toEqual(before);
});

test('a secret of another key fails the start and says what to do', async () => {
  await variablesOf('lost-key').set('dance', 'HF_TOKEN', secret('hf_abcdef'));
  const variables = variablesOf();
  expect(await variables.list('dance')).toEqual([{ name: 'HF_TOKEN', value: null, secret: true, unreadable: true }]);
  const start = variables.environment('dance');
  await expect(start).rejects.toBeInstanceOf(VariablesUnreadable);
  await expect(start).rejects.toThrow('The secret HF_TOKEN of "dance" cannot be read. Set HF_TOKEN again.');
  await variables.set('dance', 'HF_TOKEN', secret('hf_new'));
  expect(await variables.environment('dance')).toMatchObject({ secrets: ['hf_new'] });
});

test('every secret that cannot be read is named', async () => {
  const lost = variablesOf('lost-key');
  for (const name of ['B', 'A', 'C']) await lost.set('dance', name, secret(name));
  await writeFile(join(folder, 'key'), 'no key');
  const variables = variablesOf();
  await variables.set('dance', 'C', secret('new'));
  await expect(variables.environment('dance')).rejects.toThrow(
    'The secrets A and B of "dance" cannot be read. Set A and B again.',
  );
});

test('a key that may not be read now fails the start by its own name; the secrets are not given up', async () => {
  await variablesOf().set('dance', 'HF_TOKEN', secret('hf_abcdef'));
  await rm(join(folder, 'key'));
  await symlink('key', join(folder, 'key'));
  await expect(variablesOf().environment('dance')).rejects.toThrow(
    /^The key that encrypts secrets, .*, cannot be read \(ELOOP\)\.$/,
  );
});

test.each([
  ['no JSON', '{"variables": ['],
  [
    'a name that is not for an app to be given',
    '{"variables": [{"name": "ROBOT_RUN_TOKEN", "value": "", "secret": false}]}',
  ],
])('a damaged file (%s) is reported once and set aside', async (_what, text) => {
  await writeFile(file(), text);
  const variables = variablesOf();
  await expect(variables.environment('dance')).rejects.toBeInstanceOf(VariablesDamaged);
  expect(await variables.environment('dance')).toEqual({ environment: {}, secrets: [] });
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^variables\.json\.damaged-\d{8}T\d{9}$/));
});
