import { realpathSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const OLDEST_NODE = 24;

/** A Node, and the kind of system that a package is for. */
export interface NodeForPackage {
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
}

/** The Node that runs this process. */
export const thisNode: NodeForPackage = {
  version: process.versions.node,
  platform: process.platform,
  arch: process.arch,
};

/**
 * Whether a Node can be packed. A package runs its commands on it.
 * @param node the Node that runs the build
 * @param target the system of the package, in the names that Node uses
 * @returns the reason why not, a sentence with what to do; null: it can
 */
export function nodeProblem(
  node: NodeForPackage,
  target: { readonly platform: string; readonly arch: string },
): string | null {
  if (node.platform !== target.platform || node.arch !== target.arch) {
    const kind = ({ platform, arch }: { platform: string; arch: string }) => `${platform} ${arch}`;
    return `A package for ${kind(target)} needs Node for it, and this is Node for ${kind(node)}. Build it on that system.`;
  }
  if (Number.parseInt(node.version, 10) < OLDEST_NODE) {
    return `A package needs Node ${OLDEST_NODE} or newer, and this is ${node.version}. Install a newer one from nodejs.org.`;
  }
  return null;
}

/**
 * The program of this process and its licence, which goes with it.
 * @throws Error when there is no licence
 */
export async function nodeFiles(
  program = realpathSync(process.execPath),
): Promise<{ program: string; licence: string }> {
  const folder = dirname(program);
  // In the archives for Windows, in all others, on Debian.
  const places = [join(folder, 'LICENSE'), join(folder, '..', 'LICENSE'), '/usr/share/doc/nodejs/copyright'];
  for (const licence of places) {
    const isThere = await access(licence).then(
      () => true,
      () => false,
    );
    if (isThere) return { program, licence };
  }
  throw new Error(`${program} comes without its file LICENSE, which a package needs. Use a Node from nodejs.org.`);
}
