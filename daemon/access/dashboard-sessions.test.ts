import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../shared/files/atomic-file.ts';
import type { AccessToken } from './access-tokens.ts';
import type { Caller } from './caller.ts';
import { DashboardSessions, SessionsFile } from './dashboard-sessions.ts';
import { InvalidToken, SessionNotFound } from './errors.ts';
import { writeSignInCode } from './sign-in-codes.ts';

const token = (id: string, more: Partial<AccessToken> = {}): AccessToken => ({
  id,
  name: `token ${id}`,
  scopes: ['deploy'],
  namespaces: null,
  createdAt: '2026-11-22T10:00:00.000Z',
  ...more,
});

const DAY = 86_400_000;
const start = Date.parse('2026-11-22T10:00:00.000Z');
const owner = { kind: 'session', id: 'dashboard', name: 'dashboard', scopes: ['deploy'], namespaces: null } as const;

/** A data folder, and the daemons that run on it one after the other; the texts of the tokens are their ids. */
async function dataFolder(...tokens: AccessToken[]) {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-sessions-'));
  const known = new Map(tokens.map((one) => [one.id, one]));
  const get = async (id: string) => known.get(id) ?? null;
  const usedTokens: string[] = [];
  const use = (id: string) => {
    usedTokens.push(id);
    return get(id);
  };
  const files = { sessions: join(folder, 'sessions.json'), code: join(folder, 'sign-in-code.json') };
  onTestFinished(async () => {
    // Uses are saved in the background. A write of the same file waits for theirs.
    await replaceFile(files.sessions, '').catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });
  const ended: string[] = [];
  const logged: string[] = [];
  const clock = { ms: start };
  const log = (text: string) => void logged.push(text);
  const newDaemon = async () => {
    const sessions = new DashboardSessions({
      tokens: { verify: use, use, get },
      files,
      now: () => new Date(clock.ms),
      log: { error: log, warn: log },
      onEnded: (id) => void ended.push(id),
    });
    await sessions.load();
    return sessions;
  };
  /** Signs a browser in. @returns its secret */
  const signIn = async (sessions: DashboardSessions, browser = 'Firefox on Linux') =>
    (await sessions.exchange(sessions.newCode(), browser)) as string;
  const saved = async () => SessionsFile.parse(JSON.parse(await readFile(files.sessions, 'utf8'))).sessions;
  return { folder, files, known, usedTokens, ended, logged, clock, newDaemon, signIn, saved };
}

test('a code opens one session, once, also of requests at the same time; it is not its secret', async () => {
  const { newDaemon, files, clock } = await dataFolder();
  const sessions = await newDaemon();
  for (const code of [sessions.newCode(), await writeSignInCode(files.code, new Date(clock.ms))]) {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => sessions.exchange(code, 'Firefox')));
    const [secret = '', ...others] = secrets.filter((each) => each !== null);
    expect(others).toEqual([]);
    expect(await sessions.callerOf(secret)).toEqual(owner);
    expect(secret).not.toBe(code);
    expect(await sessions.callerOf(code)).toBeNull();
    for (const used of [code, secret]) expect(await sessions.exchange(used, 'Firefox')).toBeNull();
  }
});

test('codes are random, and the number of unused ones is limited', async () => {
  const { newDaemon } = await dataFolder();
  const sessions = await newDaemon();
  const codes = Array.from({ length: 9 }, () => sessions.newCode());
  expect(new Set(codes).size).toBe(9);
  expect(codes[0]).toMatch(/^[\w-]{43}$/);
  const opened: boolean[] = [];
  for (const code of codes) opened.push((await sessions.exchange(code, 'Firefox')) !== null);
  expect(opened).toEqual([false, ...Array(8).fill(true)]);
});

test('a code that the command wrote is valid for 15 minutes, whenever the daemon started; a newer one replaces it', async () => {
  const { newDaemon, files, clock } = await dataFolder();
  const write = () => writeSignInCode(files.code, new Date(clock.ms));
  const first = await write();
  const sessions = await newDaemon();
  expect(await readFile(files.code, 'utf8')).not.toContain(first);
  const second = await write();
  expect(await sessions.exchange(first, 'Firefox')).toBeNull();
  expect(await sessions.exchange(second, 'Firefox')).not.toBeNull();
  await expect(readFile(files.code)).rejects.toThrow('ENOENT');
  for (const wrongByMs of [15 * 60_000 + 1, -15 * 60_000 - 1]) {
    const code = await write();
    clock.ms += wrongByMs;
    expect(await sessions.exchange(code, 'Firefox')).toBeNull();
  }
});

test('a code that a dashboard shows is typed as a person likes, once, within 15 minutes', async () => {
  const { newDaemon, signIn, clock } = await dataFolder();
  const sessions = await newDaemon();
  const own = await signIn(sessions);
  const { code, expiresAt } = sessions.newTypedCode(own);
  expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  expect(Date.parse(expiresAt) - clock.ms).toBe(15 * 60_000);
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`;
  expect(await sessions.exchange(typed.slice(0, -1), 'Firefox')).toBeNull();
  expect(await sessions.callerOf((await sessions.exchange(typed, 'Firefox')) ?? '')).toEqual(owner);
  expect(await sessions.exchange(code, 'Firefox')).toBeNull();
  for (const laterByMs of [15 * 60_000, -1]) {
    const late = sessions.newTypedCode(own).code;
    clock.ms += laterByMs;
    expect(await sessions.exchange(late, 'Firefox')).toBeNull();
  }
});

test('a code of a dashboard ends with its next one, and with the session that shows it', async () => {
  const { newDaemon, signIn } = await dataFolder();
  const sessions = await newDaemon();
  const [own, other] = [await signIn(sessions), await signIn(sessions)];
  const first = sessions.newTypedCode(own).code;
  const second = sessions.newTypedCode(own).code;
  const ofOther = sessions.newTypedCode(other).code;
  await sessions.end(own);
  for (const code of [first, second]) expect(await sessions.exchange(code, 'Firefox')).toBeNull();
  expect(await sessions.exchange(ofOther, 'Firefox')).not.toBeNull();
});

test('a damaged file of a code is set aside, and gives nobody a session', async () => {
  const { newDaemon, files, folder } = await dataFolder();
  await writeFile(files.code, '{"hash":""}');
  const sessions = await newDaemon();
  expect(await sessions.exchange('', 'Firefox')).toBeNull();
  expect((await readdir(folder)).filter((name) => name.startsWith('sign-in-code.json.damaged-'))).toHaveLength(1);
});

test('a signed-in browser stays signed in over a restart; the window, whose cookie lasts for one run, does not', async () => {
  const { newDaemon, signIn, saved, files } = await dataFolder(token('ann', { namespaces: ['lab'] }));
  const before = await newDaemon();
  const [browser, window] = [await signIn(before), before.open()];
  expect([await before.callerOf(browser), await before.callerOf(window)]).toEqual([
    owner,
    { ...owner, isWindow: true },
  ]);
  const ann = await before.openWithToken('ann', 'Chrome on Windows');
  expect(await saved()).toHaveLength(2);
  const text = await readFile(files.sessions, 'utf8');
  for (const secret of [browser, window, ann]) expect(text).not.toContain(secret);
  expect((await stat(files.sessions)).mode & 0o777).toBe(0o600);

  const after = await newDaemon();
  expect(await after.callerOf(browser)).toEqual(owner);
  expect(await after.callerOf(window)).toBeNull();
  expect(await after.callerOf(ann)).toMatchObject({ id: 'ann', namespaces: ['lab'] });
});

test('a session ends 30 days after its last use, and does not come back when the clock goes back', async () => {
  const { newDaemon, signIn, clock, ended } = await dataFolder();
  const sessions = await newDaemon();
  const [used, idle] = [await signIn(sessions), await signIn(sessions)];
  clock.ms += 29 * DAY;
  expect(await sessions.callerOf(used)).toEqual(owner);
  clock.ms += 2 * DAY;
  expect(await sessions.callerOf(idle)).toBeNull();
  expect(ended).toHaveLength(1);
  clock.ms -= 5 * DAY;
  expect(await sessions.callerOf(idle)).toBeNull();
  expect(await (await newDaemon()).callerOf(idle)).toBeNull();
  expect(await (await newDaemon()).callerOf(used)).toEqual(owner);
  clock.ms += 60 * DAY;
  expect(await (await newDaemon()).callerOf(used)).toBeNull();
});

test('a use under a wrong clock does not make a session last longer than 30 days', async () => {
  const { newDaemon, signIn, clock } = await dataFolder();
  const sessions = await newDaemon();
  clock.ms += 10_000 * DAY;
  const secret = await signIn(sessions);
  clock.ms = start;
  expect(await sessions.callerOf(secret)).toEqual(owner);
  clock.ms += 31 * DAY;
  expect(await sessions.callerOf(secret)).toBeNull();
});

test('a machine that starts an hour in the past keeps its sessions', async () => {
  const { newDaemon, signIn, clock } = await dataFolder();
  const secret = await signIn(await newDaemon());
  clock.ms -= 3_600_000;
  const sessions = await newDaemon();
  expect(await sessions.callerOf(secret)).toEqual(owner);
  expect((await sessions.list(owner, secret))[0]?.lastUsedAt).toBe(new Date(start).toISOString());
});

test('an open page counts as a use; the stream of a revoked token is ended', async () => {
  const { newDaemon, signIn, clock, ended, known } = await dataFolder(token('ann'));
  const sessions = await newDaemon();
  const [open, closed] = [await signIn(sessions), await signIn(sessions)];
  const ann = await sessions.openWithToken('ann', 'Chrome');
  const idOf = async (secret: string) => (await sessions.sessionOf(secret))?.id ?? '';
  const [openId, annId] = [await idOf(open), await idOf(ann)];
  known.delete('ann');
  for (let day = 0; day < 40; day += 1) {
    clock.ms += DAY;
    await sessions.sweep(new Set(day === 0 ? [openId, annId] : [openId]));
    if (day === 0) expect(ended).toEqual([annId]);
  }
  expect(await sessions.callerOf(open)).toEqual(owner);
  expect(await sessions.callerOf(closed)).toBeNull();
});

test('the list names each browser, marks the own one, and says when each ends', async () => {
  const { newDaemon, signIn, clock } = await dataFolder(token('ann'));
  const sessions = await newDaemon();
  const own = await signIn(sessions, 'Firefox on Linux');
  sessions.open();
  clock.ms += 60_000;
  await sessions.openWithToken('ann', 'Chrome on Windows');
  const at = (ms: number) => new Date(start + ms).toISOString();
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(await sessions.list(owner, own)).toEqual([
    {
      ...{ id, browser: 'Chrome on Windows', token: 'token ann', isCurrent: false },
      ...{ createdAt: at(60_000), lastUsedAt: at(60_000), expiresAt: at(60_000 + 30 * DAY) },
    },
    {
      ...{ id, browser: 'The window of Robot Desktop', token: null, isCurrent: false },
      ...{ createdAt: at(0), lastUsedAt: at(0), expiresAt: null },
    },
    {
      ...{ id, browser: 'Firefox on Linux', token: null, isCurrent: true },
      ...{ createdAt: at(0), lastUsedAt: at(0), expiresAt: at(30 * DAY) },
    },
  ]);
  expect(JSON.stringify(await sessions.list(owner, null))).not.toContain('"isCurrent":true');
});

test('a caller of some namespaces sees and ends only the sessions of its own token', async () => {
  const { newDaemon, signIn } = await dataFolder(token('ann', { namespaces: ['lab'] }), token('bob'));
  const sessions = await newDaemon();
  const own = await signIn(sessions);
  const ann = await sessions.openWithToken('ann', 'Chrome');
  const caller = (await sessions.callerOf(ann)) as Caller;
  expect((await sessions.list(caller, ann)).map(({ token: name }) => name)).toEqual(['token ann']);
  const { id } = (await sessions.sessionOf(own)) ?? { id: '' };
  await expect(sessions.endById(id, caller)).rejects.toThrow(SessionNotFound);
  expect(await sessions.endOthers(caller, ann)).toBe(0);
  expect(await sessions.callerOf(own)).toEqual(owner);
});

test('sessions can be ended one by one, also the own one, and all others at once; for the next daemon too', async () => {
  const { newDaemon, signIn, ended, saved } = await dataFolder();
  const sessions = await newDaemon();
  const secrets: string[] = [];
  for (let browser = 0; browser < 5; browser += 1) secrets.push(await signIn(sessions));
  const [own = '', one = '', ...others] = secrets;
  const ids = await Promise.all(secrets.map(async (each) => (await sessions.sessionOf(each))?.id ?? ''));
  await sessions.endById(ids[1] ?? '', owner);
  await expect(sessions.endById(ids[1] ?? '', owner)).rejects.toThrow(SessionNotFound);
  await sessions.end(others[0] ?? '');
  await sessions.end('nobody');
  expect(await sessions.endOthers(owner, own)).toBe(2);
  expect(ended.sort()).toEqual(ids.slice(1).sort());
  for (const each of [one, ...others]) expect(await (await newDaemon()).callerOf(each)).toBeNull();
  expect(await (await newDaemon()).callerOf(own)).toEqual(owner);
  await sessions.endById(ids[0] ?? '', owner);
  expect(await sessions.callerOf(own)).toBeNull();
  expect(await saved()).toEqual([]);
});

test('signing out all others makes every code invalid that nobody has used yet', async () => {
  const { newDaemon, signIn, files } = await dataFolder();
  const sessions = await newDaemon();
  const own = await signIn(sessions);
  const codes = [
    sessions.newCode(),
    sessions.newTypedCode(own).code,
    await writeSignInCode(files.code, new Date(start)),
  ];
  await sessions.endOthers(owner, own);
  for (const code of codes) expect(await sessions.exchange(code, 'Firefox')).toBeNull();
});

test('codes are invalid too where the end of the others cannot be saved', async () => {
  const { newDaemon, signIn, folder } = await dataFolder();
  const sessions = await newDaemon();
  const own = await signIn(sessions);
  await signIn(sessions);
  const { code } = sessions.newTypedCode(own);
  await rm(folder, { recursive: true });
  await expect(sessions.endOthers(owner, own)).rejects.toThrow();
  expect(await sessions.exchange(code, 'Firefox')).toBeNull();
});

test('an end that cannot be saved applies at once, and says that it is not kept', async () => {
  const { newDaemon, signIn, files, folder, saved } = await dataFolder();
  const sessions = await newDaemon();
  const secret = await signIn(sessions);
  expect(await saved()).toHaveLength(1);
  await rm(folder, { recursive: true });
  await expect(sessions.end(secret)).rejects.toThrow();
  expect(await sessions.callerOf(secret)).toBeNull();
  expect(files.sessions).toContain(folder);
});

test('a browser can sign in while nothing can be saved, for this run of the daemon', async () => {
  const { newDaemon, signIn, folder, logged } = await dataFolder();
  const sessions = await newDaemon();
  await rm(folder, { recursive: true });
  expect(await sessions.callerOf(await signIn(sessions))).toEqual(owner);
  expect(logged[0]).toMatch(/^signed-in browsers cannot be saved: /);
});

test.each(['', '{"sessions":[{"id":1}]}', '[]', '\0\0\0'])('a damaged file is set aside: %j', async (content) => {
  const { newDaemon, signIn, files, folder } = await dataFolder();
  await writeFile(files.sessions, content);
  const sessions = await newDaemon();
  expect(await sessions.list(owner, null)).toEqual([]);
  const [aside = ''] = (await readdir(folder)).filter((name) => name.startsWith('sessions.json.damaged-'));
  expect(await readFile(join(folder, aside), 'utf8')).toBe(content);
  expect(await sessions.callerOf(await signIn(sessions))).toEqual(owner);
});

test('a session opened with a token has its permissions until the token is revoked', async () => {
  const { newDaemon, known } = await dataFolder(token('ann', { namespaces: ['lab'] }), token('bob'));
  const sessions = await newDaemon();
  const [ann, bob] = [await sessions.openWithToken('ann', ''), await sessions.openWithToken('bob', '')];
  expect(await sessions.callerOf(ann)).toMatchObject({ kind: 'session', id: 'ann', namespaces: ['lab'] });
  known.delete('ann');
  expect(await sessions.callerOf(ann)).toBeNull();
  expect(await sessions.callerOf(bob)).toMatchObject({ id: 'bob' });
});

test('the sessions of one token are ended, and told of', async () => {
  const { newDaemon, ended, saved } = await dataFolder(token('ann'), token('bob'));
  const sessions = await newDaemon();
  const [ann, bob] = [await sessions.openWithToken('ann', ''), await sessions.openWithToken('bob', '')];
  const { id } = (await sessions.sessionOf(ann)) ?? {};
  await sessions.endOfToken('ann');
  expect(ended).toEqual([id]);
  expect(await sessions.callerOf(ann)).toBeNull();
  expect(await sessions.callerOf(bob)).toMatchObject({ id: 'bob' });
  expect(await saved()).toMatchObject([{ tokenId: 'bob' }]);
});

test('each use of a session that a token opened is a use of the token, also by its open page; a list is none', async () => {
  const { newDaemon, signIn, usedTokens } = await dataFolder(token('ann'));
  const sessions = await newDaemon();
  const secret = await sessions.openWithToken('ann', 'Firefox');
  await signIn(sessions);
  expect(usedTokens).toEqual(['ann']);
  const { id = '' } = (await sessions.sessionOf(secret)) ?? {};
  await sessions.callerOf(secret);
  await sessions.sweep(new Set([id]));
  expect(usedTokens).toEqual(['ann', 'ann', 'ann', 'ann']);
  await sessions.list(owner, null);
  await sessions.sweep(new Set());
  expect(usedTokens).toHaveLength(4);
});

test.each([
  ['that is not known', 'nobody'],
  ['that may not deploy', 'gateway'],
])('no session is opened with a token %s', async (_which, text) => {
  const { newDaemon } = await dataFolder(token('gateway', { scopes: ['endpoint:lab/chat', 'daemon'] }));
  await expect((await newDaemon()).openWithToken(text, '')).rejects.toThrow(InvalidToken);
});

test('beyond a hundred sessions the least recently used one ends', async () => {
  const { newDaemon, ended } = await dataFolder();
  const sessions = await newDaemon();
  const [window, idle] = [sessions.open(), sessions.open()];
  for (let more = 0; more < 98; more += 1) sessions.open();
  expect(await sessions.callerOf(window)).not.toBeNull();
  sessions.open();
  expect(await sessions.callerOf(window)).not.toBeNull();
  expect(await sessions.callerOf(idle)).toBeNull();
  expect(ended).toHaveLength(1);
});
