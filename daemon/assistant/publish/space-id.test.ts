import { expect, test } from 'vitest';
import { NotPublishable } from '../errors.ts';
import { spaceAt, spaceIdFor } from './space-id.ts';

const HUB = 'https://hub.example';

test.each([
  ['https://hub.example/spaces/ada/wave', 'ada/wave'],
  ['https://hub.example/spaces/ada/wave.git', 'ada/wave'],
  ['https://ada:hf_secret@hub.example/spaces/ada/wave/', 'ada/wave'],
  ['git@hub.example:spaces/ada/wave.git', 'ada/wave'],
  ['ssh://git@hub.example/spaces/ada/wave', 'ada/wave'],
  ['https://hub.example/ada/model', null],
  ['https://hub.example/spaces/ada', null],
  ['https://other.example/spaces/ada/wave', null],
  ['https://hub.example.evil/spaces/ada/wave', null],
  ['git@other.example:spaces/ada/wave', null],
  ['/home/ada/wave', null],
  ['C:\\apps\\wave', null],
  ['', null],
])('%s is the Space %s', (address, id) => {
  expect(spaceAt(address, HUB)).toBe(id);
});

test('a hub below a path', () => {
  expect(spaceAt('http://localhost:1/hub/spaces/ada/wave', 'http://localhost:1/hub')).toBe('ada/wave');
});

test('the remote of this hub decides, else account and project name', () => {
  expect(spaceIdFor('ada', 'wave', `${HUB}/spaces/team/dance`, HUB)).toBe('team/dance');
  expect(spaceIdFor('ada', 'wave', 'https://git.example/ada/wave', HUB)).toBe('ada/wave');
  expect(spaceIdFor('ada', 'My_app.2', null, HUB)).toBe('ada/My_app.2');
});

test.each(['a--b', 'a..b', '-a', 'a-', 'a'.repeat(97), 'ä'])('%s cannot be the name of a Space', (name) => {
  expect(() => spaceIdFor('ada', name, null, HUB)).toThrow(NotPublishable);
});
