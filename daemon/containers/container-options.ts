import type { ContainerCreateOptions, DeviceRequest, HostConfig } from 'dockerode';
import type { ContainerSpec } from './container-engine.ts';
import type { EngineFacts } from './finding/engine-facts.ts';

/** The labels that identify our containers. */
export const labels = {
  /** Of the daemons on one data folder. */
  owner: 'org.robot-desktop.data-folder',
  endpoint: 'org.robot-desktop.endpoint',
  replica: 'org.robot-desktop.replica',
} as const;

/** The weight of a program at priority 10, where 1024 is the usual one: the robot comes first. */
const LOW_CPU_SHARES = 112;
/** An engine keeps all output of a container until it is removed, unless it is configured otherwise. */
const MAX_LOG = '10m';

/**
 * The request that creates a container. All that it does not name is withheld.
 * @param identity `owner`: the value of the owner's label
 */
export function containerOptions(
  spec: ContainerSpec,
  { name, owner }: { readonly name: string; readonly owner: string },
  facts: EngineFacts,
): ContainerCreateOptions {
  const port = `${spec.port}/tcp`;
  return {
    name,
    Image: spec.image,
    ...(spec.command && { Entrypoint: [...spec.command] }),
    // Without arguments the image's own ones are used, unless its entry point is replaced.
    ...((spec.args.length > 0 || spec.command) && { Cmd: [...spec.args] }),
    Env: Object.entries(spec.environment).map(([key, value]) => `${key}=${value}`),
    ExposedPorts: { [port]: {} },
    Labels: { [labels.owner]: owner, [labels.endpoint]: spec.owner.endpoint, [labels.replica]: spec.owner.replica },
    Healthcheck: { Test: ['NONE'] }, // the daemon asks the health route itself
    HostConfig: {
      PortBindings: { [port]: [{ HostIp: '127.0.0.1', HostPort: '' }] },
      ...mountsOf(spec, facts),
      ...limitsOf(spec, facts),
      CapDrop: ['ALL'],
      CapAdd: spec.bindsLowPort ? ['NET_BIND_SERVICE'] : [],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      Devices: spec.devices.map((path) => ({ PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rw' })),
      ...(spec.gpus === 'all' && { DeviceRequests: [gpuRequest(facts)] }),
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: facts.kind === 'podman' ? 'k8s-file' : 'json-file', Config: { 'max-size': MAX_LOG } },
    },
  };
}

/**
 * SELinux lets a container read what the engine has labelled, a file of the user's own too (ADR 66). Only the older form of
 * mounts asks for it.
 */
function mountsOf({ mounts }: ContainerSpec, { usesSelinux }: EngineFacts): Pick<HostConfig, 'Binds' | 'Mounts'> {
  if (usesSelinux) return { Binds: mounts.map(({ from, to }) => `${from}:${to}:ro,z`) };
  return { Mounts: mounts.map(({ from, to }) => ({ Type: 'bind', Source: from, Target: to, ReadOnly: true })) };
}

function limitsOf(
  { memoryBytes, cpus, sharedMemoryBytes }: ContainerSpec,
  { limits }: EngineFacts,
): Pick<HostConfig, 'Memory' | 'MemorySwap' | 'NanoCpus' | 'CpuShares' | 'ShmSize'> {
  return {
    // The same limit with swap: none of it is used.
    ...(memoryBytes !== null && limits.memory && { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(limits.cpu && { CpuShares: LOW_CPU_SHARES, ...(cpus !== null && { NanoCpus: Math.round(cpus * 1e9) }) }),
    ...(sharedMemoryBytes !== null && { ShmSize: sharedMemoryBytes }),
  };
}

function gpuRequest({ gpu }: EngineFacts): DeviceRequest {
  if (gpu === 'cdi') return { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=all'] };
  return { Driver: '', Count: -1, Capabilities: [['gpu']] };
}
