import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { keyFileSecretStore } from '../shared/files/key-file-secret-store.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import type { CheckContext } from './check.ts';
import { checkSecrets, countSecrets, secretsText } from './secret-checks.ts';

async function dataFolder() {
  const root = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const paths = dataPaths(root);
  const store = keyFileSecretStore(paths.secretKeyFile);
  const encrypt = (text: string) => store.encrypt(text);
  await mkdir(join(paths.apps, 'dance'), { recursive: true });
  await mkdir(paths.endpoints);
  await writeJsonFile(join(paths.apps, 'dance', 'variables.json'), {
    variables: [
      { name: 'B', value: await encrypt('b'), secret: true },
      { name: 'A', value: await encrypt('a'), secret: true },
      { name: 'IN_KEYCHAIN', value: 'keychain:1:AAAA', secret: true },
      { name: 'PLAIN', value: 'plain', secret: false },
    ],
  });
  await writeJsonFile(join(paths.endpoints, 'endpoint-chat.json'), {
    namespace: 'me',
    endpoint: { ...partsNamed('chat'), status: pendingSince('2026-11-22T10:00:00.000Z') },
    ...{ reasons: [], hasServed: false, servedInContainer: false, failure: null },
    sealed: { variables: { KEY: await encrypt('k') }, imagePassword: await encrypt('p') },
  });
  await writeJsonFile(paths.hubTokenFile, { hub: 'https://hub.example', name: 'ada', sealed: await encrypt('hf_') });
  const base = 'https://catalog.example/api/v1';
  await writeJsonFile(paths.catalogSourceFile, { base, dialect: 'specification', sealedToken: await encrypt('t') });
  await writeJsonFile(paths.mailFile, {
    ...{ host: 'mail.example', port: 587, security: 'starttls', user: 'ada', from: 'r@a.example', to: 'a@a.example' },
    sealedPassword: await encrypt('m'),
  });
  const check = async () =>
    (await checkSecrets({ paths } as CheckContext)).map(({ what, where, fix }) => [what, where, fix]);
  return { paths, check };
}

test('with its key, every secret can be read', async () => {
  const { check } = await dataFolder();
  expect(await check()).toEqual([]);
});

test.each([
  ['damaged', (file: string) => writeFile(file, '')],
  ['missing', (file: string) => rm(file)],
])('with a %s key, each secret is named with what to do', async (state, damage) => {
  const { paths, check } = await dataFolder();
  await damage(paths.secretKeyFile);
  const [key, ...others] = state === 'damaged' ? await check() : [null, ...(await check())];
  if (state === 'damaged') {
    expect(key).toEqual([
      'The file that encrypts secrets holds no key.',
      ...[paths.secretKeyFile, { kind: 'set-aside', path: paths.secretKeyFile }],
    ]);
  }
  expect(others).toEqual([
    [
      'The key that encrypted A and B of the app dance is gone.',
      join(paths.apps, 'dance', 'variables.json'),
      { kind: 'by-hand', how: 'Set A and B again: Variables of dance.' },
    ],
    [
      'The key that encrypted KEY and the password of the image of the endpoint chat is gone.',
      join(paths.endpoints, 'endpoint-chat.json'),
      { kind: 'by-hand', how: 'Set KEY and the password of the image of the endpoint again.' },
    ],
    [
      'The key that encrypted the token of the hub is gone.',
      paths.hubTokenFile,
      { kind: 'by-hand', how: 'Sign in to the hub again.' },
    ],
    [
      'The key that encrypted the token of the chosen catalog is gone.',
      paths.catalogSourceFile,
      { kind: 'by-hand', how: 'Choose the catalog again, with its token.' },
    ],
    [
      'The key that encrypted the password of the mail server is gone.',
      paths.mailFile,
      { kind: 'by-hand', how: 'Enter the password again: Settings, Mail.' },
    ],
  ]);
});

test('it counts how the saved secrets are encrypted', async () => {
  const { paths } = await dataFolder();
  const counts = await countSecrets(paths);
  expect(counts).toEqual({ keyFile: 7, keychain: 1 });
  expect(secretsText(counts, '/data/key')).toBe(
    "encrypted: 1 by the system's keychain, 7 with the key in /data/key, which only you can read",
  );
  expect(secretsText({ keyFile: 0, keychain: 0 }, '/data/key')).toBe('none saved');
});
