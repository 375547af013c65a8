import * as z from 'zod';

/** What is known of an engine that answers. */
export interface EngineFacts {
  /** Its name and version, such as "Podman 4.3.1". */
  readonly label: string;
  readonly kind: 'docker' | 'podman';
  readonly isRootless: boolean;
  /** How its containers get graphics cards; null: they get none. */
  readonly gpu: 'nvidia' | 'cdi' | null;
  /** The limits that it can impose; a rootless engine lacks those that the system does not pass on to users. */
  readonly limits: { readonly memory: boolean; readonly swap: boolean; readonly cpu: boolean };
  /** Whether folders need a label of SELinux to be read in a container. */
  readonly usesSelinux: boolean;
}

/** `GET /version`. */
export const VersionReply = z.object({
  Version: z.string(),
  ApiVersion: z.string().catch('0'),
  Os: z.string().catch('linux'),
  Components: z.array(z.object({ Name: z.string() })).catch([]),
});
type VersionReply = z.infer<typeof VersionReply>;

/** `GET /info`. Absent fields are those that an engine does not have. */
export const InfoReply = z.object({
  OSType: z.string().catch('linux'),
  MemoryLimit: z.boolean().catch(false),
  SwapLimit: z.boolean().catch(false),
  CpuCfsQuota: z.boolean().catch(false),
  SecurityOptions: z.array(z.string()).catch([]),
  Runtimes: z.record(z.string(), z.unknown()).catch({}),
  Rootless: z.boolean().catch(false),
});
type InfoReply = z.infer<typeof InfoReply>;

/** `GET /libpod/info`, of Podman alone. */
export const LibpodReply = z.object({
  host: z.object({
    cgroupControllers: z.array(z.string()).nullable().catch(null),
    security: z.object({ selinuxEnabled: z.boolean().catch(false) }).catch({ selinuxEnabled: false }),
  }),
});
type LibpodReply = z.infer<typeof LibpodReply>;

/** The oldest interface with all that is used here; Docker 19.03 and Podman 3 have it. */
const OLDEST_API = { major: 1, minor: 40 };
/** Podman's Docker interface ignored requests for devices in earlier ones; 4.9 was measured by others. */
const OLDEST_PODMAN_WITH_GPU = 5;

/** Why an engine that answers cannot be used, and what to do. */
export interface UnsuitableEngine {
  readonly problem: string;
  readonly action: string;
}

export interface EngineReplies {
  readonly version: VersionReply;
  readonly info: InfoReply;
  /** null: it is not Podman, or does not tell. */
  readonly libpod: LibpodReply | null;
  /** Whether this machine describes NVIDIA's cards by the Container Device Interface. */
  readonly hasCdi: boolean;
}

export function engineFacts({ version, info, libpod, hasCdi }: EngineReplies): EngineFacts | UnsuitableEngine {
  const isPodman = isPodmanEngine(version);
  const label = `${isPodman ? 'Podman' : 'Docker'} ${version.Version}`;
  if (info.OSType !== 'linux') {
    return { problem: `${label} runs containers of Windows only.`, action: 'Switch it to Linux containers.' };
  }
  const [major = 0, minor = 0] = version.ApiVersion.split('.').map(Number);
  const isOld = major < OLDEST_API.major || (major === OLDEST_API.major && minor < OLDEST_API.minor);
  if (isOld) return { problem: `${label} is too old.`, action: 'Install a newer one.' };
  const controllers = libpod?.host.cgroupControllers ?? null;
  const cdi = hasCdi && (!isPodman || Number.parseInt(version.Version, 10) >= OLDEST_PODMAN_WITH_GPU) ? 'cdi' : null;
  return {
    label,
    kind: isPodman ? 'podman' : 'docker',
    isRootless: info.Rootless || info.SecurityOptions.some((option) => option.startsWith('name=rootless')),
    gpu: !isPodman && 'nvidia' in info.Runtimes ? 'nvidia' : cdi,
    limits: {
      memory: controllers?.includes('memory') ?? info.MemoryLimit,
      swap: info.SwapLimit && (controllers?.includes('memory') ?? true),
      cpu: controllers?.includes('cpu') ?? info.CpuCfsQuota,
    },
    usesSelinux:
      libpod?.host.security.selinuxEnabled ?? info.SecurityOptions.some((option) => option.startsWith('name=selinux')),
  };
}

export function isPodmanEngine({ Components }: VersionReply): boolean {
  return Components.some(({ Name }) => Name.startsWith('Podman'));
}
