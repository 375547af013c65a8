import { expect, test } from 'vitest';
import { pullFailure, registryOf } from './pull-failure.ts';

test.each([
  ['manifest for lab/x:9 not found: manifest unknown: manifest unknown', 'missing'],
  ['initializing source docker://127.0.0.1:5/x:1: reading manifest 1 in 127.0.0.1:5/x: manifest unknown', 'missing'],
  ['no matching manifest for linux/arm64/v8 in the manifest list entries', 'missing'],
  ["pull access denied for lab/x, repository does not exist or may require 'docker login'", 'unauthorized'],
  ['Head "https://ghcr.io/v2/lab/x/manifests/1": unauthorized', 'unauthorized'],
  [
    'unable to retrieve auth token: invalid username/password: unauthorized: incorrect username or password',
    'unauthorized',
  ],
  ['toomanyrequests: You have reached your pull rate limit.', 'limited'],
  ['Get "https://ghcr.io/v2/": dial tcp: lookup ghcr.io: no such host', 'unreachable'],
  ['pinging container registry 127.0.0.1:9: dial tcp 127.0.0.1:9: connect: connection refused', 'unreachable'],
  ['x509: certificate signed by unknown authority', 'unreachable'],
  ['Get "https://127.0.0.1:5/v2/": http: server gave HTTP response to HTTPS client', 'unreachable'],
  ['write /var/lib/docker/tmp/GetImageBlob1: no space left on device', 'disk-full'],
  ['invalid reference format: repository name must be lowercase', 'name'],
  ['something else', 'other'],
])('"%s" is taken for %s', (text, kind) => {
  const failure = pullFailure('ghcr.io/lab/x:1', text, null);
  expect(failure).toMatchObject({ kind, action: expect.stringMatching(/^[A-Z].*\.$/) });
});

test('the account decides between a wrong one and a missing one, and its password is never repeated', () => {
  const account = { password: 'hunter2' };
  expect(pullFailure('ghcr.io/lab/x:1', 'unauthorized', account).message).toBe(
    'ghcr.io does not accept the account for ghcr.io/lab/x:1.',
  );
  expect(pullFailure('lab/x:1', 'denied: requested access', null).message).toBe(
    'docker.io gives no access to lab/x:1: it does not exist, or it needs an account.',
  );
  expect(pullFailure('lab/x:1', 'failed with ada:hunter2', account).message).toContain('ada:***');
  expect(pullFailure('lab/x:1', 'failed oddly', { password: '' }).message).toContain('failed oddly');
});

test.each([
  'initializing source docker://localhost/nothing:here: pinging container registry localhost: dial tcp [::1]:443: connect: connection refused',
  'reading manifest here in localhost/nothing: manifest unknown',
])('an image that is only local is missing here, whatever the engine says: %s', (text) => {
  expect(pullFailure('localhost/nothing:here', text, null)).toMatchObject({
    kind: 'missing',
    message: 'The image localhost/nothing:here is not on this machine.',
    action: 'Build it with the container engine, or name another image.',
  });
  expect(pullFailure('localhost:5000/nothing:here', text, null).message).toMatch(/^localhost:5000 /);
});

test.each([
  ['nginx:1', 'docker.io'],
  ['lab/server', 'docker.io'],
  ['ghcr.io/lab/server:1', 'ghcr.io'],
  ['127.0.0.1:5000/x:1', '127.0.0.1:5000'],
  ['localhost/x', 'localhost'],
])('the registry of %s is %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry);
});

test.each(['dial tcp: connection refused', 'dial tcp: connection refused.\n'])(
  'the engine’s own words in "%s" end with one full stop',
  (text) => {
    const { message } = pullFailure('ghcr.io/a/b:1', text, null);
    expect(message).toBe('ghcr.io cannot be reached: dial tcp: connection refused.');
  },
);
