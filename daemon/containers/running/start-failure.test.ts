import { expect, test } from 'vitest';
import { startFailure } from './start-failure.ts';

test.each([
  ['No such image: lab/server:1', 'image'],
  ['no such image: docker.io/library/nope:1: image not known', 'image'],
  ['could not select device driver "" with capabilities: [[gpu]]', 'gpu'],
  ['exec: "/serve": stat /serve: no such file or directory: unknown', 'command'],
  ['exec /usr/bin/serve: exec format error', 'command'],
  ['invalid mount config for type "bind": bind source path does not exist: /m', 'mount'],
  ['Minimum memory limit allowed is 6MB', 'limit'],
  ['Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available', 'limit'],
  ['write /var/lib/containers: no space left on device', 'disk-full'],
  ['driver failed programming external connectivity: Bind for 127.0.0.1:80 failed: port is already allocated', 'port'],
  ['something else', 'other'],
])('"%s" is told as %s', (text, kind) => {
  const failure = startFailure(text);
  expect(failure).toMatchObject({ kind, action: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(failure.message).toContain(text);
});
