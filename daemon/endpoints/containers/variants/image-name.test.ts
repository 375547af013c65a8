import { expect, test } from 'vitest';
import { engineOf, imageName, urlProblem } from './image-name.ts';

const digest = `sha256:${'ab'.repeat(32)}`;

test.each([
  ['ghcr.io/owner/name:1.0', 'ghcr.io/owner/name:1.0'],
  ['docker://ghcr.io/owner/name:1.0', 'ghcr.io/owner/name:1.0'],
  ['owner/name', 'docker.io/owner/name:latest'],
  ['name:2', 'docker.io/library/name:2'],
  ['docker.io/name', 'docker.io/library/name:latest'],
  [`owner/name@${digest}`, `docker.io/owner/name@${digest}`],
  [`owner/name:1@${digest}`, `docker.io/owner/name:1@${digest}`],
  ['localhost/own:1', 'localhost/own:1'],
  ['127.0.0.1:5000/a/b__c.d-e:x', '127.0.0.1:5000/a/b__c.d-e:x'],
  ['registry:5000/a', 'registry:5000/a:latest'],
  ['[::1]:65535/a', '[::1]:65535/a:latest'],
  ['637423354485.dkr.ecr.us-east-2.amazonaws.com/a/b:1', '637423354485.dkr.ecr.us-east-2.amazonaws.com/a/b:1'],
])('%s is the image %s', (url, image) => {
  expect(imageName(url)).toEqual({ image });
  expect(urlProblem(url)).toBeNull();
});

test.each(['https://ghcr.io/a/b:1', 'oci://a', 'file:///etc', 'dir://x'])('%s has another scheme', (url) => {
  expect(urlProblem(url)).toMatch(/^Write the name of the image without [a-z]+:\/\/, such as /);
});

test.each([
  ...['', ' ', 'Owner/Name', 'a b', './a', 'a//b', 'a/', '/a', 'a:', 'a:b:c', 'a@sha256:1', `a@${digest}@${digest}`],
  ...['-a', 'a:-t', `a:${'t'.repeat(129)}`, 'a\nb', '--privileged', `${'a/'.repeat(300)}a`, 'registry:99999999/a'],
  ...['registry:65536/a', 'registry:0/a'],
])('%j is no name of an image', (url) => {
  expect(urlProblem(url)).toContain('is no name of an image');
});

test('an engine and an accelerator are no image', () => {
  expect(engineOf('engines/vllm:gpu')).toBe('vllm:gpu');
  expect(engineOf('ghcr.io/engines/vllm:gpu')).toBeNull();
  expect(urlProblem('engines/vllm:gpu')).toBeNull();
  expect(urlProblem('engines/vllm')).toContain('names no engine');
});
