import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ASK_MS = 30_000;
/** Folders with the system's parts that the daemon's library needs, and the names of these. */
const places: readonly (readonly [folder: string, names: RegExp])[] = [
  ['/dev', /^nvidia/],
  ['/dev/dri', /./],
  ['/usr/share/vulkan/icd.d', /./],
  ['/etc/vulkan/icd.d', /./],
  ['/usr/lib/x86_64-linux-gnu', /^lib(vulkan|GLX_nvidia|nvidia-glvkspirv)\./],
  ['/usr/lib64', /^lib(vulkan|GLX_nvidia|nvidia-glvkspirv)\./],
];

/** The answer of the bundled runner when it is asked for cards, and the parts of the system that it needs. For the log. */
export async function partsForCards(installation: string): Promise<string> {
  const runner = join(installation, 'dist', 'node', 'llama-runner.cjs');
  const answer = await new Promise<string>((resolve) => {
    execFile(process.execPath, [runner, '--list-cards'], { timeout: ASK_MS }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error?.message ?? ''}`.trim()),
    );
  });
  const lines = places.map(([folder, names]) => {
    const found = existsSync(folder) ? readdirSync(folder).filter((name) => names.test(name)) : null;
    return `${folder}: ${found === null ? 'missing' : found.join(' ') || 'nothing'}`;
  });
  return [answer, ...lines].join('\n');
}
