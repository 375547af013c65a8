import { expect, test } from 'vitest';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import { checkContainerEngine, engineText } from './container-engine-check.ts';

const answers = {
  ...{ label: 'Podman 5.4.0', socket: '/run/podman/podman.sock', isRootless: true, hasGpu: false },
  ...{ problem: null, action: null, command: null },
};
const silent = {
  ...{ label: null, socket: null, isRootless: false, hasGpu: false },
  problem: 'Podman is installed, and its service does not run.',
  ...{ action: 'Start the service.', command: 'systemctl enable --now podman.socket' },
};

function endpoint(
  name: string,
  image: EndpointRequest['model']['image'],
  { vendor = 'local', failure = null as EndpointRecord['failure'] } = {},
): EndpointRecord {
  const { provider, model, ...parts } = partsNamed(name);
  return EndpointRecord.parse({
    namespace: 'lab',
    endpoint: {
      ...{ ...parts, provider: { ...provider, vendor }, model: { ...model, image } },
      status: pendingSince('2026-11-22T10:00:00.000Z'),
    },
    ...{ reasons: [], sealed: { variables: {}, imagePassword: null }, failure },
  });
}
const vLLM = { vLLM: { url: 'engines/vllm:gpu', healthRoute: '/health', port: 80 } } as const;
const llamacpp = { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: 'poet.gguf', ctxSize: 512 } } as const;

test('an engine that answers is no finding, nor is one that nobody needs and nobody installed', () => {
  expect(checkContainerEngine({ status: answers, isExpected: true }, [endpoint('chat', vLLM)])).toEqual([]);
  const missing = { ...silent, problem: 'No container engine is installed.' };
  expect(checkContainerEngine({ status: missing, isExpected: false }, [endpoint('poet', llamacpp)])).toEqual([]);
});

test('one that is installed and does not answer is a note, with its cause and what to do', () => {
  expect(checkContainerEngine({ status: silent, isExpected: true }, [])).toEqual([
    {
      code: 'container-engine',
      severity: 'note',
      what: 'Podman is installed, and its service does not run. No endpoint needs it.',
      where: 'this machine',
      fix: { kind: 'by-hand', how: 'Start the service. systemctl enable --now podman.socket' },
    },
  ]);
});

test.each([
  [[endpoint('chat', vLLM)], 'The endpoint chat needs it.'],
  [[endpoint('b', vLLM), endpoint('a', vLLM)], 'The endpoints a and b need it.'],
  [
    [
      endpoint('poet', llamacpp),
      endpoint('seer', llamacpp, {
        failure: { reason: 'container-engine', message: 'gone', action: '', evidence: [] },
      }),
    ],
    'The endpoint seer needs it.',
  ],
])('one that endpoints need is broken: %#', (endpoints, need) => {
  const [found] = checkContainerEngine({ status: silent, isExpected: false }, endpoints);
  expect(found).toMatchObject({ severity: 'broken', what: `${silent.problem} ${need}` });
});

test('an endpoint of another machine, and one that only the hub runs, need none here', () => {
  const elsewhere = [endpoint('far', vLLM, { vendor: 'hub' }), endpoint('hub', { hub: {} })];
  expect(checkContainerEngine({ status: silent, isExpected: false }, elsewhere)).toEqual([]);
});

test('the engine is described in a line', () => {
  expect(engineText(answers)).toBe('Podman 5.4.0 at /run/podman/podman.sock, rootless, without graphics cards');
  expect(engineText({ ...answers, isRootless: false, hasGpu: true })).toBe(
    'Podman 5.4.0 at /run/podman/podman.sock, with graphics cards',
  );
  expect(engineText(silent)).toBe('no engine answers');
});
