import { access, constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonIn } from '../apps/python/python-env.ts';
import { hubAddress } from '../hub/hub-address.ts';
import { portRefused } from '../robot/lite/connection-text.ts';
import { readHardware } from '../robot/lite/hardware.ts';
import { portFinder } from '../robot/lite/port-finder.ts';
import { pathExists, succeeds } from '../shared/async/succeeds.ts';
import type { Clock } from '../shared/clock.ts';
import { diskSpace } from '../shared/files/disk-space.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/processes/child-environment.ts';
import { listeningClients } from '../shared/processes/port-holder.ts';
import { processesWithEnvironment } from '../shared/processes/processes.ts';
import { broken, byHand, type CheckContext, type Finding, note } from './check.ts';

/** The disk and the services that the daemon depends on. */
export interface HostState {
  readonly disk: { readonly freeBytes: number | null };
  readonly hub: { readonly url: string; readonly answers: boolean };
  /** `answers` is null where no installer exists yet to ask with. */
  readonly packageIndex: { readonly answers: boolean | null };
}

/** The beginning of the names of the doctor's temporary folders. */
export const TEMPORARY = 'robot-doctor-';
const ANSWER_WITHIN_MS = 4_000;
const INDEX_WITHIN_MS = 8_000;
/** Twice the size of an app with the common libraries. */
const LITTLE_DISK_BYTES = 1024 ** 3;

/** @param hubUrl null: the default hub */
export async function examineHost(context: CheckContext, hubUrl: string | null): Promise<HostState> {
  const [space, hub, index] = await Promise.all([
    diskSpace(context.paths.root).catch(() => null), // the folder does not exist yet, or cannot be read
    hubAnswers(context.clock, hubUrl),
    indexAnswers(context),
  ]);
  return { disk: { freeBytes: space?.freeBytes ?? null }, hub, packageIndex: { answers: index } };
}

/** Findings that keep apps from being installed. */
export function findingsOfHost(
  { disk, hub, packageIndex }: HostState,
  { paths }: Pick<CheckContext, 'paths'>,
): Finding[] {
  const findings: Finding[] = [];
  if (disk.freeBytes !== null && disk.freeBytes < LITTLE_DISK_BYTES) {
    const what = `Only ${Math.round(disk.freeBytes / 1024 ** 2)} MB of disk space are free: installs may fail.`;
    findings.push(broken('disk-nearly-full', what, paths.root, byHand('Remove unused apps or other files.')));
  }
  const fix = byHand('Check the network connection, if you need it.');
  if (!hub.answers) {
    const what = 'The app store does not answer. Installed apps run without it.';
    findings.push(note('hub-offline', what, hub.url, fix));
  }
  if (packageIndex.answers === false) {
    const what = 'The package index does not answer. Apps that need other packages cannot be installed.';
    findings.push(note('index-offline', what, 'package index', fix));
  }
  return findings;
}

/** Checks that a file can be created in the system's folder for temporary files, which the checks of apps need too. */
export async function checkTemporaryFolder(folder = tmpdir()): Promise<Finding[]> {
  try {
    await rm(await mkdtemp(join(folder, TEMPORARY)), { recursive: true });
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = `Nothing can be created in the folder for temporary files (${code}). Installs, and apps that need it, will fail.`;
    const fix = byHand('Free space there, make it writable for this user, or set TMPDIR to another folder.');
    return [broken('temporary-folder', what, folder, fix)];
  }
}

/** Checks that the serial port of a connected robot can be opened. */
export async function checkSerialPort({ assetsDir }: { readonly assetsDir: string }): Promise<Finding[]> {
  if (process.platform === 'win32') return [];
  const { usb } = readHardware(join(assetsDir, 'hardware', 'lite.json'));
  const { platform } = process;
  const ports = await portFinder({ usb, fixedPath: null, platform })().catch(() => []);
  const checked = await Promise.all(
    ports.map(async (port): Promise<Finding[]> => {
      if (await succeeds(access(port, constants.R_OK | constants.W_OK))) return [];
      const { reason, action, command } = portRefused('permission', port, '', { usb, platform });
      return [broken('port-forbidden', reason, port, byHand([action, command].filter(Boolean).join(' ')))];
    }),
  );
  return checked.flat();
}

async function hubAnswers(clock: Clock, hubUrl: string | null): Promise<HostState['hub']> {
  const url = await hubAddress(hubUrl);
  const signal = clock.timeout(ANSWER_WITHIN_MS);
  return { url, answers: await succeeds(fetch(url, { method: 'HEAD', redirect: 'manual', signal })) };
}

/** Asks through the installer, whose own settings say where the index is. */
async function indexAnswers({ uv, python, paths, run }: CheckContext): Promise<boolean | null> {
  const target = await mkdtemp(join(tmpdir(), TEMPORARY)).catch(() => null);
  if (target === null) return null; // a finding of its own
  try {
    const pip = await preparedPip({ paths, python });
    const options = { deadlineMs: INDEX_WITHIN_MS, moreEnv: { UV_HTTP_TIMEOUT: '5' } };
    if (uv !== null && python) {
      const fresh = ['--refresh-package', 'pip', '--reinstall', '--target', target];
      const args = ['pip', 'install', '--dry-run', '--no-deps', ...fresh, '--python', python.executable, 'pip'];
      await run(uv, args, options);
    } else if (pip !== null) {
      const quick = ['--retries', '0', '--timeout', '5', '--disable-pip-version-check', '--no-input'];
      const args = ['-m', 'pip', 'install', '--dry-run', '--no-deps', '--ignore-installed', ...quick, 'pip'];
      await run(pip, args, options);
    } else return null;
    return true;
  } catch {
    return false;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

/** @returns the interpreter of the environment with pip that an earlier install made; null: none */
async function preparedPip({ paths, python }: Pick<CheckContext, 'paths' | 'python'>): Promise<string | null> {
  if (!python) return null;
  const name = (await readdir(paths.tools).catch(() => [])).find((each) =>
    each.startsWith(`python-${python.version}-`),
  );
  if (name === undefined) return null;
  const program = pythonIn(join(paths.tools, name));
  return (await pathExists(program)) ? program : null;
}

/**
 * Finds programs of this machine that are connected to the daemon and listen for other machines: perhaps proxies. An app
 * that the daemon started does so with its settings page, and passes nothing on.
 * @param daemon its process, and its address; null: it does not listen yet
 * @param options.asksThisMachine whether programs of this machine need a token, so that a proxy has no rights without
 */
export async function checkProxy(
  { pid, url }: { readonly pid: number; readonly url: string | null },
  { paths, asksThisMachine }: Pick<CheckContext, 'paths'> & { readonly asksThisMachine: boolean },
): Promise<Finding[]> {
  if (url === null || asksThisMachine) return [];
  const children = await processesWithEnvironment(CHILD_MARK_VARIABLE, await childMark(paths.root));
  const found = await listeningClients(Number(new URL(url).port || 80), new Set([pid, process.pid, ...children]));
  const fix = byHand(
    'If it is a proxy or a tunnel, start the daemon with --require-token, or let it connect from an address of its own, such as 127.0.0.2, and name that with --behind-proxy.',
  );
  return found.map(({ name, pid: program }) => {
    const what = `${name} is connected to the daemon and listens for other machines: if it passes requests on without a header that says so, whoever reaches it counts as this machine, and may install an app.`;
    return note('proxy-without-token', what, `process ${program}`, fix);
  });
}
