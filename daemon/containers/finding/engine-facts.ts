import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

/** Facts about an engine that answers. */
export interface EngineFacts {
  /** Its name and version, such as "Podman 4.3.1". */
  readonly label: string;
  readonly kind: 'docker' | 'podman';
  readonly isRootless: boolean;
  /** The way in which its containers get graphics cards; null: they get none. */
  readonly gpu: 'nvidia' | 'cdi' | null;
  /** The limits that it can impose; a rootless engine lacks those that the system does not pass on to users. */
  readonly limits: { readonly memory: boolean; readonly cpu: boolean };
  /** Whether folders need a label of SELinux to be read in a container. */
  readonly usesSelinux: boolean;
  /** Whether its figures of memory may count the files that a program has read, which the system drops when memory is needed. */
  readonly countsFiles: boolean;
}

/** Why an engine that answers cannot be used, and what to do. */
export interface UnsuitableEngine {
  readonly problem: string;
  readonly action: string;
}

/** The headers of `/_ping` that describe an engine, at once. `/version` runs programs in Podman, for a second. */
export interface EngineGreeting {
  readonly kind: EngineFacts['kind'];
  readonly label: string;
  readonly version: string;
}

/** `Docker/27.3.1 (linux)`, `Libpod/4.3.1 (linux)`. */
const SERVER = /^(?<name>\w+)\/(?<version>\S+) \((?<system>\w+)\)/;
/** The oldest interface with all that is used here; Docker 19.03 has it. */
const OLDEST_API = { major: 1, minor: 40 };
/** It answers to the version in `infoPath`. */
const OLDEST_PODMAN = 4;

/** @param headers of the reply to `/_ping` */
export function engineGreeting(headers: IncomingHttpHeaders): EngineGreeting | UnsuitableEngine {
  const { name, version = '', system } = SERVER.exec(String(headers['server'] ?? ''))?.groups ?? {};
  const kind = name === 'Libpod' ? 'podman' : 'docker';
  const label = `${kind === 'podman' ? 'Podman' : 'Docker'} ${version}`.trim();
  if (system === 'windows') {
    return { problem: `${label} runs containers of Windows only.`, action: 'Switch it to Linux containers.' };
  }
  const [major = 0, minor = 0] = String(headers['api-version'] ?? '0')
    .split('.')
    .map(Number);
  if (kind === 'podman' && Number.parseInt(version, 10) < OLDEST_PODMAN) {
    return { problem: `${label} is too old.`, action: `Install Podman ${OLDEST_PODMAN} or newer.` };
  }
  const isOld = major < OLDEST_API.major || (major === OLDEST_API.major && minor < OLDEST_API.minor);
  return isOld ? { problem: `${label} is too old.`, action: 'Install a newer one.' } : { kind, label, version };
}

/** Docker's `/info`. Absent fields are those that an engine does not have. */
const DockerInfo = z.object({
  MemoryLimit: z.boolean().catch(false),
  CpuCfsQuota: z.boolean().catch(false),
  SecurityOptions: z.array(z.string()).catch([]),
  Runtimes: z.record(z.string(), z.unknown()).catch({}),
});

/** Podman's `/libpod/info`. Its imitation of Docker's names limits that users may not set. */
const PodmanInfo = z.object({
  host: z.object({
    cgroupControllers: z.array(z.string()).catch([]),
    cgroupVersion: z.string().catch('v2'),
    security: z.object({ rootless: z.boolean().catch(false), selinuxEnabled: z.boolean().catch(false) }),
  }),
});

/** Podman's Docker interface ignored requests for devices in earlier ones; users have measured it up to 4.9. */
const OLDEST_PODMAN_WITH_GPU = 5;

/**
 * @param info the engine's reply about itself, `infoPath`
 * @param hasCdi whether this machine describes NVIDIA's cards by the Container Device Interface
 * @throws ZodError for another reply
 */
export function engineFacts({ kind, label, version }: EngineGreeting, info: unknown, hasCdi: boolean): EngineFacts {
  if (kind === 'podman') {
    const { cgroupControllers, cgroupVersion, security } = PodmanInfo.parse(info).host;
    return {
      ...{ label, kind },
      isRootless: security.rootless,
      gpu: hasCdi && Number.parseInt(version, 10) >= OLDEST_PODMAN_WITH_GPU ? 'cdi' : null,
      limits: { memory: cgroupControllers.includes('memory'), cpu: cgroupControllers.includes('cpu') },
      usesSelinux: security.selinuxEnabled,
      // Its statistics are one number. With control groups 2 that is without files since Podman 4, with 1 only in late ones.
      countsFiles: cgroupVersion === 'v1',
    };
  }
  const { MemoryLimit, CpuCfsQuota, SecurityOptions, Runtimes } = DockerInfo.parse(info);
  const hasOption = (name: string) => SecurityOptions.some((option) => option.startsWith(`name=${name}`));
  return {
    ...{ label, kind },
    isRootless: hasOption('rootless'),
    gpu: 'nvidia' in Runtimes ? 'nvidia' : hasCdi ? 'cdi' : null,
    limits: { memory: MemoryLimit, cpu: CpuCfsQuota },
    usesSelinux: hasOption('selinux'),
    countsFiles: false, // see usageOf
  };
}

/** Where an engine describes itself. Every Podman since 4 answers to this version. */
export const infoPath = { docker: '/info', podman: '/v4.0.0/libpod/info' } as const;
