import { expect, test } from 'vitest';
import { placeFrom, placeText, usualPlaces } from './engine-places.ts';

test.each([
  ['/run/podman/podman.sock', { socketPath: '/run/podman/podman.sock' }],
  ['unix:///var/run/docker.sock', { socketPath: '/var/run/docker.sock' }],
  ['npipe:////./pipe/docker_engine', { socketPath: '//./pipe/docker_engine' }],
  ['\\\\.\\pipe\\docker_engine', { socketPath: '\\\\.\\pipe\\docker_engine' }],
  ['tcp://127.0.0.1:2375', { host: '127.0.0.1', port: 2375 }],
  ['tcp://localhost', { host: 'localhost', port: 2375 }],
  ['http://[::1]:4000', { host: '::1', port: 4000 }],
])('%s is a place of this machine', (text, place) => {
  expect(placeFrom(text)).toEqual(place);
  expect(placeFrom(placeText(place))).toEqual(place);
});

test.each(['ssh://lab@host', 'tcp://10.0.0.4:2375', 'https://127.0.0.1:2376', 'fd://', 'podman.sock', ''])(
  '"%s" is none',
  (text) => {
    expect(placeFrom(text)).toBeNull();
  },
);

test('the usual places follow the system and its user', () => {
  const user = { home: '/home/ada', temporary: '/tmp', uid: 1000, environment: {} };
  expect(usualPlaces({ ...user, platform: 'linux' })).toEqual([
    '/var/run/docker.sock',
    '/run/podman/podman.sock',
    '/run/user/1000/docker.sock',
    '/run/user/1000/podman/podman.sock',
    '/home/ada/.docker/run/docker.sock',
    '/home/ada/.docker/desktop/docker.sock',
  ]);
  const environment = { XDG_RUNTIME_DIR: '/run/ada' };
  expect(usualPlaces({ ...user, platform: 'linux', environment })).toContain('/run/ada/podman/podman.sock');
  expect(usualPlaces({ ...user, platform: 'darwin' })).toContain('/tmp/podman/podman-machine-default-api.sock');
  expect(usualPlaces({ ...user, platform: 'win32', uid: null })).toContain('\\\\.\\pipe\\docker_engine');
});
