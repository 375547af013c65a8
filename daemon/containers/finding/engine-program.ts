import { programOnPath } from '../../shared/files/program-on-path.ts';

/** Whether the search path has a container engine, which may not run. */
export async function hasEngineProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  const found = await Promise.all(['docker', 'podman'].map((name) => programOnPath(name, path, platform)));
  return found.some((program) => program !== null);
}
