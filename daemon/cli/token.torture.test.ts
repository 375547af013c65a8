/** The commands `robot-daemon token` and `robot-daemon sign-in`, with and without a running daemon. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { lineMatching } from '../testing/daemon/line-matching.ts';
import { runCli, startCli } from '../testing/daemon/run-cli.ts';
import { NO_HUB, newDataDir } from '../testing/daemon/test-daemon.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));

/** The command on a data folder, which it creates if needed. */
async function tokensOf(dataDir?: string) {
  const parent = await mkdtemp(join(tmpdir(), 'robot-desktop-tokens-'));
  folders.push(parent);
  const folder = dataDir ?? join(parent, 'data');
  return { folder, token: (...args: string[]) => runCli('token', ...args, '--data-dir', folder) };
}

test('a token is shown once, alone on standard output, and listed without its text', async () => {
  const { folder, token } = await tokensOf();
  const made = await token('create', 'ci', '--scope', 'deploy', '--scope', 'endpoint:lab/chat', '--namespace', 'lab');
  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^rd_[\w-]{43}\n$/);
  expect(made.text).toContain(
    `"ci" may deploy in lab; use the endpoint lab/chat. It is valid for the daemon of ${folder}`,
  );
  expect((await token('create', '--scope', 'daemon')).text).toContain(
    '"token-1" may use this daemon from another machine.',
  );

  const [list, json] = [await token('list'), await token('list', '--json')];
  expect(list.out).toMatch(
    /^NAME {5}SCOPES {21}NAMESPACES {2}CREATED\nci {7}deploy, endpoint:lab\/chat {2}lab {9}\S+Z\ntoken-1 {2}daemon {21}all {9}\S+Z\n$/,
  );
  expect(JSON.parse(json.out)).toEqual([
    {
      id: expect.any(String),
      name: 'ci',
      scopes: ['deploy', 'endpoint:lab/chat'],
      namespaces: ['lab'],
      createdAt: expect.any(String),
    },
    expect.objectContaining({ name: 'token-1', scopes: ['daemon'], namespaces: null }),
  ]);
  const file = join(folder, 'tokens.json');
  for (const text of [list.text, json.text, await readFile(file, 'utf8')]) {
    expect(text).not.toContain(made.out.slice(3, -1));
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a token for an endpoint that does not exist is made, and that is stated', async () => {
  const { folder, token } = await tokensOf();
  await mkdir(join(folder, 'endpoints'), { recursive: true });
  await writeFile(join(folder, 'endpoints', 'endpoint-chat.json'), '{"namespace":"lab"}');
  const made = (scope: string) => token('create', '--scope', scope);
  expect((await made('endpoint:lab/chat')).text).not.toContain('There is no endpoint');
  for (const id of ['other/chat', 'lab/chatt']) {
    const { code, out, text } = await made(`endpoint:${id}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^rd_[\w-]{43}\n$/);
    expect(text).toContain(`There is no endpoint ${id} yet: the token works once there is one.`);
  }
});

test('a revoked token is no longer listed', async () => {
  const { token } = await tokensOf();
  await token('create', 'ci');
  expect(await token('revoke', 'ci')).toMatchObject({ code: 0, out: expect.stringContaining('"ci" is revoked.') });
  expect(await token('list', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  expect((await token('list')).out).toContain('No tokens in ');
});

test('a failure is reported with code 1 and no stack', async () => {
  const { folder, token } = await tokensOf();
  await token('create', 'ci');
  const taken = await token('create', 'ci');
  const unknown = await token('revoke', 'nobody');
  expect(taken).toMatchObject({ code: 1, out: '', text: expect.stringContaining('A token "ci" already exists.') });
  expect(unknown).toMatchObject({ code: 1, out: '', text: expect.stringContaining('There is no token "nobody".') });
  await writeFile(join(folder, 'tokens.json'), '{"tokens": [');
  for (const args of [['create'], ['list'], ['revoke', 'ci']]) {
    const { code, text } = await token(...args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(text).toContain('No token is valid, because the token file cannot be read: ');
    expect(text).not.toMatch(/\n\s+at /);
  }
  expect(await readFile(join(folder, 'tokens.json'), 'utf8')).toBe('{"tokens": [');
});

test('bad arguments are refused with a sentence and code 2', async () => {
  const { token } = await tokensOf();
  const { code, out, text } = await token('create', '--colour');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(text).toContain("robot-daemon: Unknown option '--colour'");
});

test('--help lists the scopes', async () => {
  const { code, out } = await runCli('token', 'create', '--help');
  expect(code).toBe(0);
  for (const word of ['deploy', 'daemon', 'endpoint:', '--namespace', '--data-dir']) {
    expect(out).toContain(word);
  }
});

test('concurrent commands lose no token', async () => {
  const { token } = await tokensOf();
  const made = await Promise.all(Array.from({ length: 6 }, () => token('create')));
  expect(made.map(({ code }) => code)).toEqual(Array(6).fill(0));
  expect(JSON.parse((await token('list', '--json')).out)).toHaveLength(6);
});

test('sign-in addresses, of the start and of the command, sign a browser in once, and are never logged', async () => {
  const dataDir = await newDataDir();
  folders.push(dataDir);
  const signIn = (...args: string[]) => runCli('sign-in', ...args, '--data-dir', dataDir);
  expect(await signIn()).toMatchObject({
    code: 3,
    text: expect.stringMatching(/^No robot daemon runs on .* Start it/),
  });
  expect(await signIn('please')).toMatchObject({ code: 2, out: '' });
  const robot = ['--sim', '--no-wake-up-on-start', '--hub', NO_HUB];
  const daemon = startCli(...robot, '--port', '0', '--data-dir', dataDir, '--log-level', 'debug');
  try {
    const printed = (await lineMatching(daemon.process.stdout, / at (http:\S+code=\S+)$/))?.[1] ?? '';
    const { origin } = new URL(printed);
    const asked = await signIn();
    // Alone on standard output.
    expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/^http:\S+\/sign-in\?code=[\w-]{43}\n$/) });
    expect(asked.text).toContain('It works once, within 15 minutes');
    expect(asked.out.startsWith(`${origin}/`)).toBe(true);
    for (const address of [printed, asked.out.trim()]) {
      const open = async () => (await fetch(address, { redirect: 'manual' })).headers.get('location');
      expect([await open(), await open()]).toEqual(['/#/signed-in', '/#/settings?sign-in=failed']);
    }

    const { terminal } = await daemonAt(origin).call('getDaemonStatus');
    expect(terminal).toEqual({ program: expect.any(Array), dataDir, shell: 'posix' });
    daemon.process.kill('SIGINT');
    const { text } = await daemon.ended;
    expect(text).toContain('stopped');
    const codeOf = (address: string) => new URL(address).searchParams.get('code') as string;
    expect([printed, asked.out].map((address) => text.split(codeOf(address)).length - 1)).toEqual([1, 0]);
  } finally {
    daemon.process.kill('SIGKILL');
    await daemon.ended;
  }
});

test('a running daemon accepts a new token, and refuses a revoked one, from the next request on', async () => {
  const dataDir = await newDataDir();
  folders.push(dataDir);
  const { token } = await tokensOf(dataDir);
  const daemon = await startDaemonProcess(dataDir);
  try {
    const text = (await token('create', 'ci', '--namespace', 'lab')).out.trim();
    const session = async () => {
      const headers = { Authorization: `Bearer ${text}` };
      return (await fetch(`${daemon.url}/api/session`, { headers })).json();
    };
    expect(await session()).toEqual({ signedIn: true, namespaces: ['lab'], namespace: 'lab', isOwnUser: false });
    await token('revoke', 'ci');
    expect(await session()).toEqual({ signedIn: false, namespaces: [], namespace: 'local', isOwnUser: false });
  } finally {
    await daemon.kill();
  }
});
