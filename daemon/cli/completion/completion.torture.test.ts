/** The scripts of `robot-daemon completion` in the real shells, where each is installed. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../testing/daemon/run-cli.ts';
import { fixtureApp, robotDaemonProgram, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { inTerminal } from '../../testing/terminal/in-terminal.ts';

let folder: string;
let daemon: TestDaemon;
/** The command as users have it, on PATH, and a folder to complete in. */
let env: { PATH: string; HOME: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-completion-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(robotDaemonProgram, join(bin, 'robot-daemon'));
  await symlink(process.execPath, join(bin, 'node'));
  await mkdir(join(folder, 'own apps'));
  await writeFile(join(folder, 'own.txt'), '');
  env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder };
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(folder, `completion.${shell}`), (await runCli('completion', shell)).out);
  }
  daemon = await startTestDaemon();
  expect(await daemon.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
  expect(await daemon.install(fixtureApp('forks'))).toMatchObject({ state: 'done' });
}, 120_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The proposals after a line, in the order of the alphabet. */
type Propose = (line: string) => Promise<string[]>;

/** bash itself fills COMP_WORDS when a key is pressed; `complete -F` functions are called like here. */
const bash: Propose = async (line) => {
  const script = `source completion.bash
    eval "COMP_WORDS=($1)"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _robot_daemon; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execa('bash', ['--norc', '-c', script, 'bash', line], { env, cwd: folder });
  return sorted(stdout);
};
const fish: Propose = async (line) => {
  const { stdout } = await execa('fish', ['--no-config', '-c', 'source completion.fish; complete -C $argv[1]', line], {
    env,
    cwd: folder,
  });
  return sorted(stdout.replace(/\t.*$/gm, ''));
};
const sorted = (text: string) =>
  text
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean)
    .sort();

async function isInstalled(shell: string): Promise<boolean> {
  const { exitCode } = await execa(shell, ['--version'], { reject: false });
  if (exitCode !== 0) console.warn(`SKIPPED: completion in ${shell}, which is not installed`);
  return exitCode === 0;
}

describe.each([['bash', bash] as const, ['fish', fish] as const])('%s', async (shell, propose) => {
  const there = await isInstalled(shell);

  test.runIf(there).each<[string, string[]]>([
    ['robot-daemon st', ['status', 'stop']],
    ['robot-daemon app r', ['reset', 'rm', 'rollback']],
    ['robot-daemon help en', ['endpoint']],
    ['robot-daemon app start --re', ['--replace']],
    ['robot-daemon --install', ['--install-minutes', '--installer']],
    ['robot-daemon --installer ', ['auto', 'pip', 'uv']],
    ['robot-daemon --log-level d', ['debug']],
    ['robot-daemon completion ', ['bash', 'fish', 'help', 'zsh']],
    ['robot-daemon app stop --json --', ['--data-dir', '--force', '--help', '--json']],
    ['robot-daemon model rm ', []],
  ])('%s', async (line, expected) => {
    expect(await propose(line)).toEqual(expected);
  });

  test.runIf(there)('the names of apps come from the running daemon of the data folder', async () => {
    const option = `--data-dir ${daemon.dataDir}`;
    expect(await propose(`robot-daemon app start ${option} `)).toEqual(['forks', 'polite']);
    expect(await propose(`robot-daemon app rm --json ${option} po`)).toEqual(['polite']);
    expect(await propose(`robot-daemon app start --data-dir ${folder} `)).toEqual([]);
  });

  test.runIf(there)('folders are proposed where one is wanted', async () => {
    expect(await propose('robot-daemon app install own')).toEqual([expect.stringMatching(/^own(?: |\\ )apps\/?$/)]);
    expect(await propose('robot-daemon --catalog ow')).toContain('own.txt');
  });
});

/** A shell in which the command prints its arguments, and what its completion needs from it before. */
const interactive = {
  bash: { argv: ['bash', '--norc', '-i'], setUp: 'source completion.bash' },
  zsh: { argv: ['zsh', '-f', '-i'], setUp: 'autoload -Uz compinit; compinit -D -u; source completion.zsh' },
} as const;
const printing =
  'robot-daemon() { if [ "$1" = completion ]; then command robot-daemon "$@"; else printf "ran:%s;" "$@"; echo; fi; }';

describe.each(['bash', 'zsh'] as const)('the tabulator key in %s', async (shell) => {
  const there = await isInstalled(shell);

  test.runIf(there).each<[string, string[]]>([
    ['stat', ['status']],
    ['app star', ['app', 'start']],
    ['app start --rep', ['app', 'start', '--replace']],
    ['app start --data-dir DATA po', ['app', 'start', '--data-dir', 'DATA', 'polite']],
    ['--log-level deb', ['--log-level', 'debug']],
    ['app install ow', ['app', 'install', 'own apps']],
    ['sign', ['sign-in']],
  ])('completes %s', async (typed, words) => {
    const { argv, setUp } = interactive[shell];
    const line = `robot-daemon ${typed.replace('DATA', daemon.dataDir)}\t`;
    const steps = [
      { wait: '[$%#] ', send: `${setUp}; ${printing}; echo rea""dy\r` },
      { wait: 'ready', send: line },
      { wait: words.at(-1)?.replace(' apps', '.{1,3}apps') ?? '', send: '\r' },
      { wait: 'ran:', send: 'exit\r' },
    ];
    const { output } = await inTerminal(argv, steps, { env, cwd: folder, withinS: 20 });
    const ran = words.map((word) => `ran:${word.replace('DATA', daemon.dataDir)}`).join(';');
    expect(output).toContain(ran);
  });
});
