import { existsSync } from 'node:fs';
import { installOnBuildMachine } from './debian-packages.ts';

/**
 * The programs that tests of containers run, and the Debian package of each. Podman's own recommendations are for users without root
 * and for building images; netavark, which it starts, calls iptables.
 */
export const containerPrograms: Readonly<Record<string, readonly string[]>> = {
  '/usr/bin/podman': ['podman'],
  '/usr/sbin/runc': ['runc'],
  '/usr/lib/podman/netavark': ['netavark'],
  '/usr/sbin/iptables': ['iptables'],
};

/** Installs what is missing, on a build machine only. Tests of containers say that they are skipped where it fails. */
export async function prepareContainerEngine(): Promise<void> {
  const missing = Object.entries(containerPrograms).flatMap(([program, names]) => (existsSync(program) ? [] : names));
  if (missing.length === 0) return;
  await installOnBuildMachine(...missing).catch((error: unknown) => console.warn(String(error)));
}
