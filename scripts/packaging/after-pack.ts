/**
 * electron-builder calls this once it has filled the folder of a package, before it signs it: adds Node, the commands
 * that run on it, and their code. Only Electron can read the archive; and code outside of it is none that Electron checks,
 * so the code that both run is there twice.
 */
import { chmod, copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type AfterPackContext, Arch } from 'electron-builder';
import { launchers } from './launchers.ts';
import { nodeFiles, nodeProblem, thisNode } from './packed-node.ts';

export default async function afterPack({ packager, appOutDir, electronPlatformName, arch }: AfterPackContext) {
  const target = { platform: electronPlatformName as NodeJS.Platform, arch: Arch[arch] };
  const problem = nodeProblem(thisNode, target) ?? pathProblem(packager.appInfo.sanitizedProductName, target.platform);
  if (problem) throw new Error(problem);
  const resources = packager.getResourcesDir(appOutDir);
  await addNode(join(resources, 'node'), target.platform);
  await addCode(join(packager.projectDir, 'dist', 'node'), join(resources, 'dist', 'node'), target.arch);
  for (const [name, text] of Object.entries(launchers(target.platform))) {
    await writeProgram(join(resources, 'bin', name), text);
  }
  const { name, version } = packager.appInfo;
  await writeFile(join(resources, 'package.json'), `${JSON.stringify({ name, version, type: 'module' })}\n`);
}

/** Chromium's sandbox does not start from /opt/Robot Desktop. */
function pathProblem(folder: string, platform: NodeJS.Platform): string | null {
  if (platform !== 'linux' || !folder.includes(' ')) return null;
  return `A package for Linux needs a folder without a space, not "${folder}". Build it with "npm run package".`;
}

async function addNode(folder: string, platform: NodeJS.Platform): Promise<void> {
  const { program, licence } = await nodeFiles();
  const to = platform === 'win32' ? join(folder, 'node.exe') : join(folder, 'bin', 'node');
  await mkdir(join(to, '..'), { recursive: true });
  await copyFile(program, to);
  await chmod(to, 0o755);
  await copyFile(licence, join(folder, 'LICENSE'));
}

/** @param arch that of the native code to add */
async function addCode(from: string, to: string, arch: string): Promise<void> {
  const isForCommands = (path: string) => {
    if (basename(join(path, '..')) === 'prebuilds') return basename(path).includes(arch);
    return !['main.cjs', '.built-from'].includes(basename(path));
  };
  await cp(from, to, { recursive: true, filter: isForCommands });
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755); // whatever the umask
}
