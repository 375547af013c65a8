import { expect, test } from 'vitest';
import { startFailure } from './start-failure.ts';

test.each([
  ['No such image: lab/server:1', 'image'],
  ['no such image: docker.io/library/nope:1: image not known', 'image'],
  ['could not select device driver "" with capabilities: [[gpu]]', 'gpu'],
  ['invalid mount config for type "bind": bind source path does not exist: /m', 'mount'],
  ['Minimum memory limit allowed is 6MB', 'limit'],
  ['Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available', 'limit'],
  ['write /var/lib/containers: no space left on device', 'disk-full'],
  ['driver failed programming external connectivity: Bind for 127.0.0.1:80 failed: port is already allocated', 'port'],
])('"%s" is taken for %s', (text, kind) => {
  const failure = startFailure(text);
  expect(failure).toMatchObject({ kind, evidence: text, action: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(failure.message).toMatch(/^[A-Z][^"=]*\.$/);
});

const oci = (cause: string) =>
  `runc: time="2026-11-23T10:00:00Z" level=error msg="runc create failed: unable to start container process: ${cause}"`;

test.each([
  [
    `${oci(String.raw`exec: \"/repository\": permission denied`)}: OCI permission denied`,
    'In the image, /repository is no program that may be run.',
  ],
  [oci(String.raw`exec: \"/serve\": stat /serve: no such file or directory`), 'The image has no program /serve.'],
  ['exec: "vllm": executable file not found in $PATH: unknown', 'The image has no program vllm.'],
  ['crun: executable file `serve` not found in $PATH: No such file or directory', 'The image has no program serve.'],
  ['exec /usr/bin/serve: exec format error', 'The program /usr/bin/serve of the image is not for this processor.'],
  ['no command specified', 'The program to run is not in the image, or none is named.'],
])('a program that cannot be run is named: %s', (text, message) => {
  expect(startFailure(text)).toMatchObject({
    ...{ kind: 'command', evidence: text, action: 'Correct its command, or choose another image.' },
    message: expect.stringContaining(message),
  });
});

test.each([
  ['something else', 'something else.'],
  [
    `${oci(String.raw`the \"box\" is closed`)}: OCI error`,
    'runc create failed: unable to start container process: the "box" is closed.',
  ],
])('another failure is reported in the words of its engine: %s', (text, words) => {
  expect(startFailure(text)).toMatchObject({
    ...{ kind: 'other', evidence: text, action: "Look at the container engine's own log." },
    message: `The container engine does not start the container: ${words}`,
  });
});
