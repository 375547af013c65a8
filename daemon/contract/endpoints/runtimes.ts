import * as z from 'zod';
import { named } from '../common/common.ts';

/** A program that serves models on this machine, in the order of preference. */
export const RuntimeStatus = named('RuntimeStatus', {
  id: z.enum(['llama-server', 'bundled']),
  /** For people. */
  label: z.string(),
  /** Null: there is none, or it does not run. */
  version: z.string().nullable(),
  /** Its file; null: not found. */
  path: z.string().nullable(),
  /** Why it cannot be used, in one sentence; null: it can. */
  problem: z.string().nullable(),
  /** Whether it can use a graphics card of this machine. */
  hasGpu: z.boolean(),
});
export type RuntimeStatus = z.infer<typeof RuntimeStatus>;

/** The llama-server that can be installed here. */
export const InstallableRuntime = named('InstallableRuntime', {
  /** Null: none is known. */
  version: z.string().nullable(),
  /** The server that it comes from. */
  host: z.string().nullable(),
  /** Of the download; null: unknown. */
  sizeBytes: z.int().nullable(),
  /** Whether it is built for graphics cards; null: unknown. */
  usesCard: z.boolean().nullable(),
  /** Whether it would replace the llama-server in use, which lists no graphics card. */
  replaces: z.boolean(),
  /** Why none can be installed, in one sentence; null: one can. */
  problem: z.string().nullable(),
});
export type InstallableRuntime = z.infer<typeof InstallableRuntime>;

/** The program that runs containers on this machine: Docker, Podman, or what speaks their interface. */
export const ContainerEngineStatus = named('ContainerEngineStatus', {
  /** Its name and version; null: none answers. */
  label: z.string().nullable(),
  /** Where it answers: the path of a socket or a pipe; null: nowhere. */
  socket: z.string().nullable(),
  /** Whether it runs without the rights of root. */
  isRootless: z.boolean(),
  /** Whether its containers can use a graphics card of this machine. */
  hasGpu: z.boolean(),
  /** Why it cannot be used, in one sentence; null: it can. */
  problem: z.string().nullable(),
  /** One thing to do about it; null: nothing. */
  action: z.string().nullable(),
  /** The command that does it, to copy; null: none. */
  command: z.string().nullable(),
});
export type ContainerEngineStatus = z.infer<typeof ContainerEngineStatus>;

export const RuntimeList = named('RuntimeList', {
  runtimes: z.array(RuntimeStatus),
  installable: InstallableRuntime,
  containers: ContainerEngineStatus,
});
export type RuntimeList = z.infer<typeof RuntimeList>;
