import { expect, test } from 'vitest';
import { type PrivateFacts, privateMask } from './private-text.ts';

const none: PrivateFacts = { homes: [], user: null, secrets: [] };
const ofAda: PrivateFacts = { homes: ['/home/ada'], user: 'ada', secrets: ['a plain value'] };

test.each([
  ['Cannot read /home/ada/.local/share/robot-desktop/jobs.json', 'Cannot read ~/.local/share/robot-desktop/jobs.json'],
  ['installed from file:///home/ada/my%20app', 'installed from file://~/my%20app'],
  ['at /home/ada.', 'at /home/user'],
  ['/home/adam/x and /home/ada', '/home/user/x and ~'],
  ['/srv/chroot/home/ada/x', '/srv/chroot/home/user/x'],
  ['/run/media/ada/stick, /media/ben/disk', '/run/media/user/stick, /media/user/disk'],
  ['C:\\Users\\Grace\\robot', 'C:\\Users\\user\\robot'],
  ['"C:\\\\Users\\\\Grace\\\\robot"', '"C:\\\\Users\\\\user\\\\robot"'],
  ['ada/hello-wave, ADA, but not Adafruit', 'user/hello-wave, user, but not Adafruit'],
  ['mail from robot.of+ada@mail.example.org', 'mail from …@mail.example.org'],
  ['git@code.example:ada/wave', '…@code.example:user/wave'],
  ['electron@44.2.0', 'electron@44.2.0'],
  ['ROBOT_NAME is a plain value', 'ROBOT_NAME is ••••••'],
  ['Authorization: Bearer abcdefgh', 'Authorization: Bearer …'],
  ['https://ada:swordfish@git.example.com/x', 'https://…@git.example.com/x'],
  ['token hf_abcdefghijklmnopqrst was refused', 'token hf_… was refused'],
])('%s is shown as %s', (text, shown) => {
  expect(privateMask(ofAda)(text)).toBe(shown);
});

test.each(['ada-l', 'a.b+c', 'x[y'])('the user %s is replaced by a word', (user) => {
  expect(privateMask({ ...none, user })(`by ${user} at night`)).toBe('by user at night');
});

test("a home folder is found by each of its names, on Windows in any case and with JSON's backslashes", () => {
  const mask = privateMask({ ...none, homes: ['C:\\Users\\Grace Hopper', '/data/people/grace'] });
  expect(mask('c:\\users\\grace hopper\\robot and /data/people/grace/robot')).toBe('~\\robot and ~/robot');
  expect(mask('{"path":"C:\\\\Users\\\\Grace Hopper\\\\robot"}')).toBe('{"path":"~\\\\robot"}');
  expect(mask('file:///C:/Users/Grace%20Hopper/robot')).toBe('file:///~/robot');
});

test.each([
  ['a root folder', { homes: ['/', '/x'] }],
  ['a short name', { user: 'al' }],
  ['a name that is a word of every report', { user: 'Robot' }],
])('%s is no home folder and no name that is replaced', (_, facts) => {
  const text = 'robot-daemon at /x/al: al is a robot';
  expect(privateMask({ ...none, ...facts })(text)).toBe(text);
});
