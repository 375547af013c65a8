import { expect, test } from 'vitest';
import type { ContainerSpec } from './container-engine.ts';
import { containerOptions } from './container-options.ts';
import type { EngineFacts } from './finding/engine-facts.ts';

const spec: ContainerSpec = {
  image: 'ghcr.io/lab/server:1',
  command: null,
  args: ['--port', '8000'],
  environment: { TOKEN: 'a=b' },
  port: 8000,
  mounts: [{ from: '/data/models/m', to: '/repository' }],
  ...{ memoryBytes: 2 ** 30, cpus: 1.5, gpus: 'all', devices: ['/dev/neuron0'], sharedMemoryBytes: 2 ** 26 },
  bindsLowPort: false,
  owner: { endpoint: 'lab/chat', replica: 'r1' },
  onLine: () => {},
};
const facts: EngineFacts = {
  ...{ label: 'Docker 27', kind: 'docker', isRootless: false, gpu: 'nvidia', usesSelinux: false, countsFiles: false },
  limits: { memory: true, cpu: true },
};
const identity = { name: 'robot-desktop-1', owner: 'mine' };
const options = (given: Partial<ContainerSpec> = {}, engine: Partial<EngineFacts> = {}) =>
  containerOptions({ ...spec, ...given }, identity, { ...facts, ...engine });

test('a container gets what it is to run with, and everything else is withheld', () => {
  expect(options()).toEqual({
    name: 'robot-desktop-1',
    Image: 'ghcr.io/lab/server:1',
    Cmd: ['--port', '8000'],
    Env: ['TOKEN=a=b'],
    ExposedPorts: { '8000/tcp': {} },
    Labels: {
      'org.robot-desktop.data-folder': 'mine',
      'org.robot-desktop.endpoint': 'lab/chat',
      'org.robot-desktop.replica': 'r1',
    },
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      PortBindings: { '8000/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] },
      Mounts: [{ Type: 'bind', Source: '/data/models/m', Target: '/repository', ReadOnly: true }],
      ...{ Memory: 2 ** 30, MemorySwap: 2 ** 30, NanoCpus: 1_500_000_000, CpuShares: 112, ShmSize: 2 ** 26 },
      ...{ CapDrop: ['ALL'], CapAdd: [], SecurityOpt: ['no-new-privileges'], Privileged: false },
      Devices: [{ PathOnHost: '/dev/neuron0', PathInContainer: '/dev/neuron0', CgroupPermissions: 'rw' }],
      DeviceRequests: [{ Driver: '', Count: -1, Capabilities: [['gpu']] }],
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m' } },
    },
  });
});

test('a command replaces the entry point and the arguments of the image', () => {
  expect(options({ command: ['/serve'], args: [] })).toMatchObject({ Entrypoint: ['/serve'], Cmd: [] });
  expect(options({ args: [] })).not.toHaveProperty('Cmd');
  expect(options()).not.toHaveProperty('Entrypoint');
});

test('only the binding of a low port takes a capability', () => {
  expect(options({ bindsLowPort: true }).HostConfig?.CapAdd).toEqual(['NET_BIND_SERVICE']);
});

test('an engine is not asked for limits that it cannot impose', () => {
  const { HostConfig } = options({}, { limits: { memory: false, cpu: false } });
  expect(HostConfig).not.toHaveProperty('Memory');
  expect(HostConfig).not.toHaveProperty('NanoCpus');
  expect(HostConfig).not.toHaveProperty('CpuShares');
});

test('with SELinux a folder is labelled for containers', () => {
  expect(options({}, { usesSelinux: true }).HostConfig?.Binds).toEqual(['/data/models/m:/repository:ro,z']);
});

test("graphics cards are asked for in the engine's way, and none without need", () => {
  expect(options({}, { gpu: 'cdi' }).HostConfig?.DeviceRequests).toEqual([
    { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=all'] },
  ]);
  expect(options({ gpus: 'none' }).HostConfig).not.toHaveProperty('DeviceRequests');
});
