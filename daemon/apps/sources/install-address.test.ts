import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { installAddress, readInstallAddress } from './install-address.ts';

const context = { hubUrl: 'https://hub.example', samplesDir: '/opt/robot/sample-apps' };
const read = (url: string, revision?: string) => readInstallAddress(url, revision, context);
const space = (id: string, revision: string | null = null) => ({
  kind: 'space',
  hub: 'https://hub.example',
  id,
  revision,
});
const git = (url: string, revision: string | null = null, subdirectory = '') => ({
  kind: 'git',
  url,
  revision,
  subdirectory,
});

test.each<[string, object]>([
  ['ann/dance', space('ann/dance')],
  ['https://hub.example/spaces/ann/dance', space('ann/dance')],
  ['  https://hub.example/spaces/ann/dance/  ', space('ann/dance')],
  ['https://hub.example/spaces/ann/dance.git', space('ann/dance')],
  ['https://hub.example/spaces/ann/dance/tree/v2', space('ann/dance', 'v2')],
  ['https://hub.example/spaces/ann/dance/tree/main/dance', space('ann/dance')],
  ['https://hub.example/spaces/ann/dance/blob/main/README.md', space('ann/dance')],
  ['https://hub.example/spaces/ann/dance?logs=container#v2', space('ann/dance', 'v2')],
  ['https://git.example/ann/dance', git('https://git.example/ann/dance')],
  ['https://git.example/ann/dance.git/', git('https://git.example/ann/dance.git')],
  ['git+https://git.example/ann/dance.git', git('https://git.example/ann/dance.git')],
  ['https://git.example/ann/dance#feature/new-steps', git('https://git.example/ann/dance', 'feature/new-steps')],
  ['https://git.example/ann/apps#subdirectory=apps/dance/', git('https://git.example/ann/apps', null, 'apps/dance')],
  [
    'https://git.example/ann/apps#v1.2&subdirectory=dance&egg=dance',
    git('https://git.example/ann/apps', 'v1.2', 'dance'),
  ],
  ['http://127.0.0.1:8080/dance.git', git('http://127.0.0.1:8080/dance.git')],
  ['/home/ann/dance', { kind: 'folder', path: '/home/ann/dance' }],
  ['/home/ann/../bob/dance/', { kind: 'folder', path: '/home/bob/dance' }],
  ['file:///home/ann/my%20dance', { kind: 'folder', path: '/home/ann/my dance' }],
  ['~/dance', { kind: 'folder', path: join(homedir(), 'dance') }],
  ['/opt/robot/sample-apps/dance', { kind: 'sample', sample: 'dance' }],
])('%s', (url, source) => {
  expect(read(url)).toEqual(source);
});

test('a given revision takes precedence over the one in the address', () => {
  expect(read('https://hub.example/spaces/ann/dance', 'v3')).toEqual(space('ann/dance', 'v3'));
  expect(read('https://git.example/ann/dance#v1', 'v2')).toEqual(git('https://git.example/ann/dance', 'v2'));
});

test('the address of a source is read as the same source', () => {
  for (const url of [
    'https://hub.example/spaces/ann/dance',
    'https://hub.example/spaces/ann/dance#v2',
    'https://git.example/ann/apps#v1.2&subdirectory=apps/dance',
    'https://git.example/ann/dance',
    '/home/ann/dance',
    '/opt/robot/sample-apps/dance',
  ]) {
    expect(installAddress(read(url), context)).toBe(url);
  }
});

describe('refused, because git, pip or a browser could read it as something else', () => {
  test.each([
    ['', 'no address'],
    ['dance', 'a name'],
    ['./dance', 'a path that depends on where one stands'],
    ['ann/dance/x', 'neither a path nor an address'],
    ['--upload-pack=touch /tmp/x', 'an option'],
    ['-e /home/ann/dance', 'an option'],
    ['ext::sh -c touch% /tmp/x', 'a command'],
    ['ssh://git@git.example/ann/dance', 'another transport'],
    ['git@git.example:ann/dance', 'another transport'],
    ['git://git.example/ann/dance', 'another transport'],
    ['git+ssh://git.example/ann/dance', 'another transport'],
    ['ftp://git.example/ann/dance', 'another transport'],
    ['file://elsewhere/dance', 'a file of another machine'],
    ['http://git.example/ann/dance', 'not encrypted'],
    ['http://hub.example/spaces/ann/dance', 'not encrypted'],
    ['https://user:secret@git.example/ann/dance', 'a password'],
    ['https://git.example/ann/dance?token=secret', 'a secret that would be kept'],
    ['https://git.example/', 'no repository'],
    ['https://git.example/ann/dance#--upload-pack=x', 'an option as the revision'],
    ['https://git.example/ann/dance#a..b', 'a range of commits'],
    ['https://git.example/ann/dance#HEAD@{1}', "git's log"],
    ['https://git.example/ann/dance#main:dance', 'a file of a commit'],
    ['https://git.example/ann/dance#%E0%A4%A', 'bad encoding'],
    ['https://git.example/ann/dance#subdirectory=../../etc', 'out of the repository'],
    ['https://git.example/ann/dance#subdirectory=/etc', 'out of the repository'],
    ['https://git.example/ann/dance#subdirectory=a%5C..%5Cb', 'a path of Windows'],
    ['https://hub.example/ann/dance', 'a model, not a Space'],
    ['https://hub.example/spaces/ann', 'no Space'],
    ['https://hub.example/spaces/-ann/--dance', 'an option'],
    ['https://hub.example/spaces/ann/dance#subdirectory=x', 'a folder of a Space'],
    ['/home/ann\0/dance', 'a character that no path has'],
    ['file:///home/ann%00/dance', 'the same, encoded'],
    ['file:///home/ann%0a05:00:00.000%20info%1b%5b31m', 'lines and colours'],
    ['https://git.example/ann/dance#subdirectory=a%0Ab', 'a line feed'],
    ['https://git.example/ann/dance#subdirectory=a%00', 'a character that no argument has'],
    ['https://hub.example/spaces/ann/dance/tree/%0d', 'a carriage return'],
  ])('%s (%s)', (url) => {
    expect(() => read(url)).toThrow(InvalidBody);
  });

  test('a bad revision, or one where there can be none', () => {
    for (const revision of ['--all', '-x', 'a b', 'a..b', 'x.lock', 'a^', 'HEAD~1', '../x', '']) {
      expect(() => read('https://git.example/ann/dance', revision), revision).toThrow(InvalidBody);
    }
    expect(() => read('/home/ann/dance', 'main')).toThrow(InvalidBody);
  });
});
