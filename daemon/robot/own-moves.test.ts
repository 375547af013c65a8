import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { moveFileText } from '../testing/daemon/move-files.ts';
import { MoveNotFound } from './errors.ts';
import { OwnMoves } from './own-moves.ts';

/** The moves of a folder with these files, and their log lines. */
async function movesOf(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-moves-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const logged: string[] = [];
  return { moves: new OwnMoves({ folder, log: createLogger('info', (line) => logged.push(line)) }), folder, logged };
}

test('the moves of a folder are listed, emotions first, each kind by name, and can be played', async () => {
  const { moves, logged } = await movesOf({
    'yes.json': moveFileText(1.5),
    'waltz.json': moveFileText(4, { kind: 'dance', description: 'Round and round.' }),
    'bow.json': moveFileText(2, { kind: 'emotion', description: undefined }),
    'readme.txt': 'no move',
  });
  expect(await moves.list()).toEqual([
    { name: 'bow', kind: 'emotion', description: '', durationS: 2 },
    { name: 'yes', kind: 'emotion', description: 'A test.', durationS: 1.5 },
    { name: 'waltz', kind: 'dance', description: 'Round and round.', durationS: 4 },
  ]);
  const yes = await moves.get('yes');
  expect([yes.parts, yes.antennasAt(0.75), yes.bodyYawAt(1)]).toEqual([
    ['head', 'antennas', 'bodyYaw'],
    [0.25, -0.25],
    0,
  ]);
  await expect(moves.get('no')).rejects.toThrow(MoveNotFound);
  await expect(moves.get('constructor')).rejects.toThrow('The robot has no move of the name "constructor".');
  expect(logged).toEqual([]);
});

test('a move without a body yaw or without antennas does not move them', async () => {
  const { moves } = await movesOf({
    'nod.json': JSON.stringify({ time: [0], set_target_data: [{ antennas: [0, 0], body_yaw: null }] }),
  });
  expect((await moves.get('nod')).parts).toEqual(['antennas']);
});

const half = JSON.parse(moveFileText(1)) as { set_target_data: object[] };
test.each<[string, string, string]>([
  ['no JSON', '{"time": [0', 'It is not JSON.'],
  ['a list', '[]', 'It: Invalid input'],
  ['no targets', '{"time": [0]}', 'set_target_data: '],
  ['a kind that does not exist', moveFileText(1, { kind: 'song' }), 'kind: '],
  ['fewer targets than times', moveFileText(1, { time: [0, 1, 2] }), 'as many targets as times'],
  ['no sample', '{"time": [], "set_target_data": []}', 'time: '],
  ['times that fall', moveFileText(1, { time: [0, 0.5].reverse() }), 'The first sample of a move must be at 0 s.'],
  ['a move that is too long', moveFileText(601), 'time.1: '],
  [
    'a target without a head',
    JSON.stringify({ ...half, set_target_data: [{}, ...half.set_target_data.slice(1)] }),
    'as many',
  ],
  ['a head that is no pose', moveFileText(1).replace('[1,0,0,0]', '[2,0,0,0]'), 'not a rotation'],
  ['a head of three rows', moveFileText(1).replace(',[0,0,0,1]', ''), 'set_target_data.0.head'],
  [
    'an angle that is a text',
    moveFileText(1).replace('"antennas":[0,', '"antennas":["0",'),
    'set_target_data.0.antennas.0',
  ],
])('a file with %s is left out, and the log names it', async (_name, text, reason) => {
  const { moves, logged } = await movesOf({ 'bad.json': text, 'good.json': moveFileText(1) });
  expect((await moves.list()).map(({ name }) => name)).toEqual(['good']);
  expect(logged).toEqual([expect.stringContaining('moves: bad.json is left out: ')]);
  expect(logged[0]).toContain(reason);
});

test('a file that is too large, a folder, and a name that does not fit an address are left out', async () => {
  const { moves, folder, logged } = await movesOf({
    'large.json': '',
    'a b.json': moveFileText(1),
    'ok.json': moveFileText(1),
  });
  await truncate(join(folder, 'large.json'), 33 * 1024 * 1024);
  await mkdir(join(folder, 'folder.json'));
  expect((await moves.list()).map(({ name }) => name)).toEqual(['ok']);
  expect(logged.map((line) => /moves: (.*) is left out/.exec(line)?.[1])).toEqual([
    'a b.json',
    'folder.json',
    'large.json',
  ]);
});

test('the files are read once, and a missing folder has no moves', async () => {
  const { moves, folder, logged } = await movesOf({ 'yes.json': moveFileText(1) });
  const [first, second] = await Promise.all([moves.list(), moves.list()]);
  await writeFile(join(folder, 'no.json'), moveFileText(1));
  expect([second, await moves.list()]).toEqual([first, first]);
  const none = new OwnMoves({
    folder: join(folder, 'nowhere'),
    log: createLogger('info', (line) => logged.push(line)),
  });
  await rm(join(folder, 'no.json'));
  expect(await none.list()).toEqual([]);
  expect(await none.list()).toEqual([]);
  expect(logged).toEqual([expect.stringContaining('moves: there are none: ')]);
});
