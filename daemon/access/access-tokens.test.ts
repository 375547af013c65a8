import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemNow } from '../shared/clock.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { AccessTokens, type TokenRequest } from './access-tokens.ts';
import { TokenNameTaken, TokenNotFound, TokensUnreadable, TokensUnwritable, TooManyTokens } from './errors.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  folders.push(folder);
  return join(folder, 'tokens.json');
}
function tokensIn(file: string, logged: string[] = []): AccessTokens {
  return new AccessTokens(file, {
    log: { error: (message) => logged.push(message) },
    now: () => new Date('2026-11-22T10:00:00Z'),
  });
}
const deploy = (name: string | null, more: Partial<TokenRequest> = {}): TokenRequest => ({
  name,
  scopes: ['deploy'],
  namespaces: null,
  ...more,
});

test('a token is verified by its text; the file holds only its hash and is readable by its owner only', async () => {
  const file = await newFile();
  const tokens = tokensIn(file);
  const { text, token } = await tokens.create(
    deploy('ci', { scopes: ['deploy', 'endpoint:lab/chat', 'deploy'], namespaces: ['lab', 'home', 'lab'] }),
  );
  expect(text).toMatch(/^rd_[\w-]{43}$/);
  expect(token).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'ci',
    scopes: ['deploy', 'endpoint:lab/chat'],
    namespaces: ['lab', 'home'],
    createdAt: '2026-11-22T10:00:00.000Z',
  });
  expect(await tokens.verify(text)).toEqual(token);
  expect(await tokens.list()).toEqual([token]);
  expect(await tokens.get(token.id)).toEqual(token);
  expect(await readFile(file, 'utf8')).not.toContain(text.slice(3));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a use by its text or by its id is told; a look at it, and what a command lends to itself, is none', async () => {
  const file = await newFile();
  const uses: string[] = [];
  const tokens = new AccessTokens(file, { log: { error: () => {} }, now: systemNow, onUse: (id) => uses.push(id) });
  const { text, token } = await tokens.create(deploy('ci'));
  const lent = await tokens.create(deploy(null, { ofTerminal: true }));
  expect([await tokens.verify(text), await tokens.use(token.id), await tokens.get(token.id)]).toEqual(
    Array(3).fill(token),
  );
  expect([await tokens.verify(lent.text), await tokens.use(lent.token.id)]).toEqual([lent.token, lent.token]);
  expect([await tokens.verify('rd_another'), await tokens.use('another')]).toEqual([null, null]);
  expect(uses).toEqual([token.id, token.id]);
});

test('a scope that names an endpoint without its namespace, as earlier versions wrote it, is read and not created', async () => {
  const file = await newFile();
  const { text } = await tokensIn(file).create(deploy('ci'));
  await writeFile(file, (await readFile(file, 'utf8')).replace('"deploy"', '"endpoint:chat"'));
  expect(await tokensIn(file).verify(text)).toMatchObject({ name: 'ci', scopes: ['endpoint:chat'] });
  await expect(tokensIn(file).create(deploy('later', { scopes: ['endpoint:chat'] }))).rejects.toThrow();
  expect(await tokensIn(file).list()).toHaveLength(1);
});

test('a similar text is not a token, nor is its hash', async () => {
  const file = await newFile();
  const tokens = tokensIn(file);
  expect(await tokens.verify('rd_before-there-is-a-file')).toBeNull();
  const { text } = await tokens.create(deploy('ci'));
  const { hash } = JSON.parse(await readFile(file, 'utf8')).tokens[0];
  for (const wrong of [
    '',
    'rd_',
    text.slice(0, -1),
    `${text}A`,
    text.toUpperCase(),
    text.slice(3),
    hash,
    'x'.repeat(9999),
  ]) {
    expect(await tokens.verify(wrong), wrong).toBeNull();
  }
});

test('after a failed read no token is valid until the next read', async () => {
  const file = await newFile();
  const { text } = await tokensIn(file).create(deploy('ci'));
  let reads = 0;
  const tokens = new AccessTokens(file, {
    log: { error: () => {} },
    now: systemNow,
    readFile: (path, schema) => {
      if (++reads === 1) throw new Error('EMFILE: too many open files');
      return readJsonFile(path, schema);
    },
  });
  expect(await tokens.verify(text)).toBeNull();
  expect(await tokens.verify(text)).toMatchObject({ name: 'ci' });
});

test('a name is unique, and generated if missing', async () => {
  const tokens = tokensIn(await newFile());
  await tokens.create(deploy('token-1'));
  expect((await tokens.create(deploy(null))).token.name).toBe('token-2');
  await expect(tokens.create(deploy('token-2'))).rejects.toThrow(TokenNameTaken);
  await tokens.revoke('token-1');
  expect((await tokens.create(deploy(null))).token.name).toBe('token-1');
});

test('a token is revoked by its name or its id, and only that one', async () => {
  const tokens = tokensIn(await newFile());
  const [ann, bob, cid] = [
    await tokens.create(deploy('ann')),
    await tokens.create(deploy('bob')),
    await tokens.create(deploy('cid')),
  ];
  expect(await tokens.revoke('ann')).toEqual(ann.token);
  expect(await tokens.revoke(bob.token.id)).toEqual(bob.token);
  expect(await tokens.verify(ann.text)).toBeNull();
  expect(await tokens.get(bob.token.id)).toBeNull();
  expect(await tokens.verify(cid.text)).toEqual(cid.token);
  await expect(tokens.revoke('ann')).rejects.toThrow(TokenNotFound);
});

test('tokens that another process creates or revokes apply at once', async () => {
  const file = await newFile();
  const [daemon, command] = [tokensIn(file), tokensIn(file)];
  for (let round = 0; round < 20; round += 1) {
    const { text } = await command.create(deploy('ci'));
    expect(await daemon.verify(text)).toMatchObject({ name: 'ci' });
    await command.revoke('ci');
    expect(await daemon.verify(text)).toBeNull();
  }
});

test('concurrent creations lose no token', async () => {
  const file = await newFile();
  const several = [tokensIn(file), tokensIn(file), tokensIn(file)];
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, n) => (several[n % 3] as AccessTokens).create(deploy(null))),
  );
  const names = (await tokensIn(file).list()).map(({ name }) => name);
  expect(new Set(names).size).toBe(30);
  for (const one of made) expect(await several[0]?.verify(one.text)).toEqual(one.token);
});

test('with a damaged file no token is valid; it is logged once, and the file stays as it is', async () => {
  const file = await newFile();
  const logged: string[] = [];
  const tokens = tokensIn(file, logged);
  const { text, token } = await tokens.create(deploy('ci'));
  const whole = await readFile(file, 'utf8');
  await writeFile(file, whole.slice(0, -20));
  expect([await tokens.verify(text), await tokens.verify(text), await tokens.get(token.id)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(logged).toEqual([
    expect.stringContaining(`No token is valid, because the token file cannot be read: ${file} is damaged`),
  ]);
  expect(logged.join()).not.toContain(text);
  await expect(tokens.create(deploy('other'))).rejects.toThrow(TokensUnreadable);
  await expect(tokens.revoke('ci')).rejects.toThrow(TokensUnreadable);
  await expect(tokens.list()).rejects.toThrow(TokensUnreadable);
  expect(await readFile(file, 'utf8')).toBe(whole.slice(0, -20));
  await writeFile(file, whole);
  expect(await tokens.verify(text)).toEqual(token);
});

test.each([
  ['a hash that is none', { hash: 'short' }],
  ['a scope that nobody knows', { scopes: ['everything'] }],
  ['no scope', { scopes: [] }],
  ['a namespace that is none', { namespaces: ['../x'] }],
])('a file with %s is a damaged one', async (_what, change) => {
  const file = await newFile();
  const tokens = tokensIn(file);
  const { text } = await tokens.create(deploy('ci'));
  const content = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ tokens: [{ ...content.tokens[0], ...change }] }));
  expect(await tokens.verify(text)).toBeNull();
  await expect(tokens.list()).rejects.toThrow(TokensUnreadable);
});

test('the number of tokens is limited', async () => {
  const file = await newFile();
  const tokens = tokensIn(file);
  const { text } = await tokens.create(deploy('first'));
  const [first] = JSON.parse(await readFile(file, 'utf8')).tokens;
  const others = Array.from({ length: 999 }, (_, n) => ({
    ...first,
    id: `id${n}`,
    name: `n${n}`,
    hash: 'x'.repeat(43),
  }));
  await writeFile(file, JSON.stringify({ tokens: [...others, first] }));
  expect(await tokens.verify(text)).toMatchObject({ name: 'first' });
  await expect(tokens.create(deploy(null))).rejects.toThrow(TooManyTokens);
});

test('an unwritable folder is reported', async () => {
  const file = await newFile();
  await writeFile(file, '');
  await expect(tokensIn(join(file, 'tokens.json')).create(deploy('ci'))).rejects.toThrow(TokensUnwritable);
});
