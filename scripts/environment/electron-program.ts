import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project.ts';
import { screenProblem } from './screen-problem.ts';

const packageDir = join(projectDir, 'node_modules', 'electron');
/** How long Electron's download server may take to answer before the browser is used instead. */
const REACH_MS = 2_000;
const DOWNLOAD_MS = 15 * 60_000;
const REPORT_EVERY_MS = 10_000;

/** The path of Electron's program, or the reason why no window can be opened. */
export type ElectronProgram = { readonly path: string } | { readonly missing: string };

/** Checks for a screen and a sandbox, and finds Electron, which is downloaded at first use. */
export async function electronProgram(env: NodeJS.ProcessEnv = process.env): Promise<ElectronProgram> {
  const missing = (await screenProblem(env)) ?? reasonForNoSandbox(env);
  if (missing) return { missing };
  return installedElectron(env) ?? (await download(env));
}

/** The sandbox depends on settings of the kernel, and on the owner and the mode of a program. */
export interface SandboxFacts {
  /** @returns '' for a setting that the kernel does not have */
  readonly setting: (name: string) => string;
  readonly existsSync: (path: string) => boolean;
  readonly statSync: (path: string) => Pick<Stats, 'uid' | 'mode'>;
}

/** Electron exits at once where Chromium cannot create its sandbox, which is never switched off here. */
export function reasonForNoSandbox(env: NodeJS.ProcessEnv, facts: SandboxFacts = thisSystem): string | null {
  const { setting, existsSync, statSync } = facts;
  if (process.platform !== 'linux' || env['ELECTRON_DISABLE_SANDBOX']) return null;
  if (process.getuid?.() === 0) return 'Electron does not run as root';
  const restricted =
    setting('kernel/apparmor_restrict_unprivileged_userns') === '1' ||
    setting('kernel/unprivileged_userns_clone') === '0';
  const helper = join(packageDir, 'dist', 'chrome-sandbox');
  const helperIsReady = existsSync(helper) && statSync(helper).uid === 0 && (statSync(helper).mode & 0o4000) !== 0;
  return restricted && !helperIsReady ? 'this system does not let Electron create its sandbox' : null;
}

const thisSystem: SandboxFacts = { setting: kernelSetting, existsSync, statSync };

/** @returns '' for a setting that this kernel does not have */
export function kernelSetting(name: string): string {
  try {
    return readFileSync(join('/proc/sys', name), 'utf8').trim();
  } catch {
    return '';
  }
}

/** @returns null if Electron is not downloaded yet */
export function installedElectron(env: NodeJS.ProcessEnv, electronDir = packageDir): { path: string } | null {
  const pointer = join(electronDir, 'path.txt');
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  // Written last: without it the download is incomplete.
  const program = existsSync(pointer) ? readFileSync(pointer, 'utf8') : override && 'electron';
  const path = program && join(override ?? join(electronDir, 'dist'), program);
  return path && existsSync(path) ? { path } : null;
}

async function download(env: NodeJS.ProcessEnv): Promise<ElectronProgram> {
  const missing = await electronDownloadProblem(env);
  if (missing) return { missing };
  console.log('Downloading Electron, about 120 MB, once. Ctrl-C cancels.');
  const startedMs = performance.now();
  const progress = setInterval(() => {
    console.log(`Still downloading Electron, for ${Math.round((performance.now() - startedMs) / 1000)} s now…`);
  }, REPORT_EVERY_MS);
  // Its output is hidden: a failure would print a stack trace.
  const { execa } = await import('execa'); // loaded here, since every other start would pay for it
  const options = { env, extendEnv: false, timeout: DOWNLOAD_MS, stdio: 'ignore', reject: false } as const;
  await execa(process.execPath, [join(packageDir, 'install.js')], options);
  clearInterval(progress);
  return installedElectron(env) ?? { missing: 'Electron could not be downloaded' };
}

/** @returns null if Electron's download server answers, else a sentence without a full stop */
export async function electronDownloadProblem(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const from = env['ELECTRON_MIRROR'] ?? env['npm_config_electron_mirror'] ?? 'https://github.com/';
  return fetch(from, { method: 'HEAD', signal: AbortSignal.timeout(REACH_MS) }).then(
    () => null,
    () => `Electron cannot be downloaded, ${URL.parse(from)?.host ?? from} does not answer`,
  );
}
