import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { addressBelow, installAddress, readInstallAddress } from './install-address.ts';

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
  ['https://git.example/ann/apps#egg=dance&subdirectory=dance', git('https://git.example/ann/apps', null, 'dance')],
  ['https://git.example/ann/apps#subdirectory=a%26b%20c', git('https://git.example/ann/apps', null, 'a&b c')],
  // Forms of pip.
  ['git+https://git.example/ann/dance.git@v0.2.0', git('https://git.example/ann/dance.git', 'v0.2.0')],
  ['git+https://git.example/ann/dance@feature/new-steps', git('https://git.example/ann/dance', 'feature/new-steps')],
  [`git+https://git.example/ann/dance@${'a1'.repeat(20)}`, git('https://git.example/ann/dance', 'a1'.repeat(20))],
  ['https://git.example/ann/dance.git@v1%2E0', git('https://git.example/ann/dance.git', 'v1.0')],
  [
    'dance @ git+https://git.example/ann/apps.git@v1.0#egg=dance&subdirectory=apps/dance',
    git('https://git.example/ann/apps.git', 'v1.0', 'apps/dance'),
  ],
  ['my-dance[voice,extra]@git+https://git.example/ann/dance', git('https://git.example/ann/dance')],
  ['https://git.example/ann/dance@v1', git('https://git.example/ann/dance', 'v1')],
  ['https://git.example/users/ann@home/dance', git('https://git.example/users/ann@home/dance')],
  ['https://git.example/ann/dance.git@feature/steps', git('https://git.example/ann/dance.git', 'feature/steps')],
  ['git+https://git.example/@ann/dance', git('https://git.example/@ann/dance')],
  ['git+https://git.example/@ann/dance@v1', git('https://git.example/@ann/dance', 'v1')],
  ['git+https://git.example/ann/dance@v1#v1', git('https://git.example/ann/dance', 'v1')],
  ['git+ssh://git@git.example/ann/dance.git@v0.2.0', git('https://git.example/ann/dance.git', 'v0.2.0')],
  ['ssh://git@git.example:2222/ann/dance', git('https://git.example/ann/dance')],
  ['git@git.example:ann/dance.git', git('https://git.example/ann/dance.git')],
  ['dance @ git+ssh://git@git.example/ann/dance', git('https://git.example/ann/dance')],
  ['git+https://hub.example/spaces/ann/dance@v2', space('ann/dance', 'v2')],
  ['dance @ file:///home/ann/dance', { kind: 'folder', path: '/home/ann/dance' }],
  ['https://hub.example/spaces/ann/apps#subdirectory=dance', { ...space('ann/apps'), subdirectory: 'dance' }],
  ['http://127.0.0.1:8080/dance.git', git('http://127.0.0.1:8080/dance.git')],
  ['/home/ann/dance', { kind: 'folder', path: '/home/ann/dance' }],
  ['/home/ann/../bob/dance/', { kind: 'folder', path: '/home/bob/dance' }],
  ['file:///home/ann/my%20dance', { kind: 'folder', path: '/home/ann/my dance' }],
  ['/home/ann/apps#subdirectory=games/dance', { kind: 'folder', path: '/home/ann/apps/games/dance' }],
  ['/home/ann/apps/#egg=dance&subdirectory=dance/', { kind: 'folder', path: '/home/ann/apps/dance' }],
  ['/home/ann/c#/dance', { kind: 'folder', path: '/home/ann/c#/dance' }],
  ['file:///home/ann/my%20apps#subdirectory=my%20dance', { kind: 'folder', path: '/home/ann/my apps/my dance' }],
  ['/opt/robot/sample-apps#subdirectory=dance', { kind: 'sample', sample: 'dance' }],
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
    'https://hub.example/spaces/ann/apps#v2&subdirectory=apps/dance',
    'https://git.example/ann/apps#subdirectory=a%26b%20c%25%23%C3%A9',
    '/home/ann/dance',
    '/opt/robot/sample-apps/dance',
  ]) {
    expect(installAddress(read(url), context)).toBe(url);
  }
});

test('the address of an app below is that of its folder', () => {
  const below = (url: string) => addressBelow(read(url), 'apps/wave', context);
  expect(below('https://git.example/ann/apps#v1')).toBe('https://git.example/ann/apps#v1&subdirectory=apps/wave');
  expect(below('https://git.example/ann/all#subdirectory=py')).toBe(
    'https://git.example/ann/all#subdirectory=py/apps/wave',
  );
  expect(below('ann/apps')).toBe('https://hub.example/spaces/ann/apps#subdirectory=apps/wave');
  expect(below('/home/ann/all')).toBe('/home/ann/all/apps/wave');
});

const NEITHER = 'This is neither an https address, nor a Space (owner/name), nor the full path of a folder.';
const notSupported = (character: string) =>
  `An address with "${character}" is not supported. Check it, or clone the repository and give its folder.`;
const noPort = 'The port after the ":" is not a number from 1 to 65535.';
const noServer = (host: string) => `The host "${host}" has a name that no server can have.`;
const noSpace = (id: string) => `"${id}" cannot be the name of a Space of the hub.`;

test.each([
  ['', 'Give an address, or the full path of a folder.'],
  ['   ', 'Give an address, or the full path of a folder.'],
  ['ö', NEITHER],
  ['passwd', NEITHER],
  ['../../etc/passwd', NEITHER],
  ['C:apps', NEITHER],
  ['javascript:alert(1)', 'Use an address that begins with https://, not with "javascript:".'],
  ['ftp://git.example/ann/dance', 'Use an address that begins with https://, not with "ftp:".'],
  ['ssh://git:secret@git.example/ann/dance', 'Use an address that begins with https://, not with "ssh:".'],
  ['https://x/%C3%B6', notSupported('ö')],
  ['https://x/ö', notSupported('ö')],
  ['https://x/o\u0308', notSupported('ö')],
  ['https://x/%E2%80%AE', notSupported('\\u202e')],
  ['https://x/%3Cb%3E', notSupported('<')],
  ['https://x/50%25', notSupported('%')],
  ['https://x/50%', 'The address cannot be decoded.'],
  ['https://x/a%0Ab', 'The address contains a control character.'],
  ['https://git.example/a\nb', 'The address contains a control character.'],
  ['https://git.example/my dance', 'The address contains a space.'],
  ['https://git.example/\u202ednab', 'The address contains an invalid character.'],
  [`https://git.example/${'a'.repeat(5_000)}`, 'The address is too long.'],
  [`/${'a'.repeat(5_000)}`, 'The address is too long.'],
  ['https://ann:secret@git.example/dance', 'The address contains a user name or a password. Remove them.'],
  ['https://git.example:99999/dance', noPort],
  ['https://git.example:0/dance', noPort],
  ['https://git.example:80a/dance', noPort],
  ['https://', 'This is not an address that begins with https:// and a host.'],
  ['https:///ann/dance', 'This is not an address that begins with https:// and a host.'],
  ['https://git!.example/dance', noServer('git!.example')],
  ['https://git..example/dance', noServer('git..example')],
  [`https://${'a'.repeat(64)}.example/dance`, noServer(`${'a'.repeat(64)}.example`)],
  ['https://git.example', 'The address names a server but no repository.'],
  ['https://hub.example/ö', 'An app of the hub is a Space: https://hub.example/spaces/<owner>/<name>.'],
  ['ann/da--nce', noSpace('ann/da--nce')],
  ['a..nn/dance', noSpace('a..nn/dance')],
  ['https://hub.example/spaces/ann/da..nce', noSpace('ann/da..nce')],
  [`ann/${'a'.repeat(97)}`, noSpace(`ann/${'a'.repeat(97)}`)],
])('%j is refused with a sentence', (url, message) => {
  expect(() => read(url)).toThrow(new InvalidBody(message, [{ path: ['url'], message }]));
});

test('an address with an encoded space may be that of a repository', () => {
  expect(read('https://git.example/my%20team/_git/dance')).toEqual(git('https://git.example/my%20team/_git/dance'));
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
    ['git://git.example/ann/dance', 'another transport'],
    ['ssh://git:secret@git.example/ann/dance', 'a password'],
    ['git+file:///home/ann/dance@v1', 'a repository of this machine'],
    ['git+https://git.example/ann/dance@', 'an empty revision'],
    ['git+https://git.example/ann/dance@--upload-pack=x', 'an option as the revision'],
    ['git+https://git.example/ann/dance@v1#v2', 'two revisions'],
    ['/home/ann/apps#subdirectory=../bob', 'out of the folder'],
    ['/home/ann/apps#v1&subdirectory=dance', 'a revision of a folder'],
    ['/home/ann/apps#subdirectory=/etc', 'out of the folder'],
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
    ['https://hub.example/spaces/ann/dance#subdirectory=../x', 'out of the Space'],
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
