import { describe, expect, test } from 'vitest';
import { linksIn, ownOptions, readLinks } from './install-link.ts';

const APP = 'https://hub.example/spaces/ann/dance';
const toInstall = (address: string) => `robot-desktop://install?url=${encodeURIComponent(address)}`;
const opened = (address: string) => ({
  hash: `#/apps?install=${new URLSearchParams({ a: address }).toString().slice(2)}&from=link`,
});

describe('a link to install an app', () => {
  test.each([
    [toInstall(APP), APP],
    [`robot-desktop://install?url=${APP}`, APP],
    [`robot-desktop://install/?url=${APP}`, APP],
    [`ROBOT-DESKTOP://install?url=${APP}`, APP],
    [toInstall('https://git.example:8443/ann/dance.git#v1.2'), 'https://git.example:8443/ann/dance.git#v1.2'],
    [toInstall('https://git.example'), 'https://git.example/'],
  ])('%s opens the dialog with that address filled in', (link, address) => {
    expect(readLinks([link])).toEqual(opened(address));
  });

  test('the page gets the address as one parameter, whatever is in it', () => {
    const target = readLinks([toInstall('https://git.example/a?b=c&tab=create&install=x')]);
    const hash = target && 'hash' in target ? target.hash : '';
    expect([...new URLSearchParams(hash.split('?')[1])]).toEqual([
      ['install', 'https://git.example/a?b=c&tab=create&install=x'],
      ['from', 'link'],
    ]);
  });
});

const saysSomethingElse = 'Links can only name an app to install, and this one says something else.';
const oneAddress = 'It must name one address, and nothing else.';
const httpsOnly = 'It must name an https address, without a password or encoded characters.';
const strangeCharacters = 'It has characters that no link has.';

describe('refused, with the reason', () => {
  test.each([
    ['another action', `robot-desktop://remove?url=${APP}`, saysSomethingElse],
    ['an action with a path', `robot-desktop://install/now?url=${APP}`, saysSomethingElse],
    ['an action in another case', `robot-desktop://INSTALL?url=${APP}`, saysSomethingElse],
    ['an encoded action', `robot-desktop://%69nstall?url=${APP}`, saysSomethingElse],
    ['no action', `robot-desktop:install?url=${APP}`, saysSomethingElse],
    ['three slashes', `robot-desktop:///install?url=${APP}`, saysSomethingElse],
    ['a name in front of the action', `robot-desktop://ann:secret@install?url=${APP}`, saysSomethingElse],
    ['a port', `robot-desktop://install:8000?url=${APP}`, saysSomethingElse],
    ['a fragment', `robot-desktop://install?url=${APP}#now`, saysSomethingElse],
    ['no address', 'robot-desktop://install', oneAddress],
    ['two addresses', `robot-desktop://install?url=${APP}&url=${APP}`, oneAddress],
    ['something beside the address', `robot-desktop://install?url=${APP}&confirm=1`, oneAddress],
    ['the address under another name', `robot-desktop://install?URL=${APP}`, oneAddress],
    ['an empty address', 'robot-desktop://install?url=', httpsOnly],
    ['only the scheme', 'robot-desktop:', saysSomethingElse],
  ])('%s', (_what, link, reason) => {
    expect(readLinks([link])).toEqual({ refused: reason });
  });

  test.each([
    'http://git.example/ann/dance',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    '/etc/passwd',
    '//git.example/ann/dance',
    'C:\\Windows\\System32',
    '\\\\server\\share',
    'data:text/html,x',
    'blob:https://git.example/1',
    'ssh://git@git.example/ann/dance',
    'git@git.example:ann/dance.git',
    'robot-desktop://install?url=https://git.example',
    // A name or a password in the address.
    'https://ann@git.example/dance',
    'https://ann:secret@git.example/dance',
    'https://hub.example@evil.example/dance',
    'https://@git.example/dance',
    // It reads as another address than the one it leads to.
    'https://hub.example\\@evil.example/dance',
    'https:\\\\evil.example/dance',
    'https:/evil.example/dance',
    'https:evil.example/dance',
    'https://git.example/a/../b',
    'https://GIT.example/dance',
    'HTTPS://git.example/dance',
    'https://git.example:443/dance',
    'https://0x7f000001/dance',
    'https://hub.ex\u00e4mple/dance',
    'https://hub.ex\u0430mple/dance',
    ' https://git.example/dance',
    'https://git.example/dance ',
    'https://git.example/a b',
    'https://git.example/\u202egnp.exe',
    // Encoded once, twice, and partly.
    'https://git.example/%2e%2e/dance',
    'https://git.example/%0aset-header',
    'https://git.example/%00',
    'https://git.example%2f@evil.example/',
    'https%3A%2F%2Fgit.example%2Fdance',
    'https%253A%252F%252Fgit.example',
    'https://',
    'https://[::1',
    'https://git.example:99999/',
  ])('the address %j', (address) => {
    expect(readLinks([toInstall(address)])).toEqual({ refused: httpsOnly });
  });

  test.each([
    `robot-desktop://install?url=${APP}\u0000`,
    `robot-desktop://install?url=${APP}\n--data-dir=/tmp`,
    `robot-desktop://install?url=${APP}\t`,
    ` robot-desktop://install?url=${APP}`,
    `robot-desktop://inst\nall?url=${APP}`,
    `robot-desktop://install?url=https://hub.ex\u0430mple/`,
    `robot-desktop://install?url=${APP}\u202e`,
    'robot-desktop://install?url=\ud800',
  ])('the characters of %j', (link) => {
    expect(readLinks([link])).toEqual({ refused: strangeCharacters });
  });

  test('a link of more than 2,000 characters', () => {
    const link = toInstall(`https://git.example/${'a'.repeat(2_000)}`);
    expect(readLinks([link])).toEqual({ refused: 'It has more than 2000 characters.' });
  });

  test('several links at once, also if each is fine', () => {
    const several = { refused: 'Several links came at once. Open them one by one.' };
    expect(readLinks([toInstall(APP), toInstall(APP)])).toEqual(several);
  });

  test.each(['https://hub.example/', 'file:///etc/passwd', 'robot-desktopx://install', 'x'])(
    '%j, which is no link of this program',
    (link) => expect(readLinks([link])).toEqual({ refused: expect.any(String) }),
  );
});

test('without links there is nothing to open', () => {
  expect(readLinks([])).toBeNull();
});

test.each<[argv: string[], links: string[]]>([
  [['/opt/robot-desktop/robot-desktop'], []],
  [['/opt/robot', 'robot-desktop://install'], ['robot-desktop://install']],
  [['/opt/robot', '/src', '--at-login', 'Robot-Desktop:x', '--', '--port', '0'], ['Robot-Desktop:x']],
  [['/opt/robot', '--', '--data-dir', 'robot-desktop:x'], []],
  [['/opt/robot', 'https://hub.example/', '--x=robot-desktop://install'], []],
  [
    ['/opt/robot', 'robot-desktop:a', 'robot-desktop:b'],
    ['robot-desktop:a', 'robot-desktop:b'],
  ],
])('the links of the start %j are %j', (argv, links) => {
  expect(linksIn(argv)).toEqual(links);
});

test.each<[argv: string[], platform: NodeJS.Platform, options: string[]]>([
  [['robot'], 'linux', []],
  [['robot', '--x', '--', '--port', '0'], 'win32', ['--port', '0']],
  [['robot', 'robot-desktop:a', '--', '--port', '0'], 'linux', ['--port', '0']],
  [['robot', 'robot-desktop:a', '--', '--python', 'evil.exe'], 'win32', []],
])('the own options of %j on %s are %j', (argv, platform, options) => {
  expect(ownOptions(argv, platform)).toEqual(options);
});
