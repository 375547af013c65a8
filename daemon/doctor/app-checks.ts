import { join } from 'node:path';
import { normalizedName } from '../app-package/requirement.ts';
import { POINTER, type StoredVersion } from '../apps/installed/app-pointer.ts';
import { installAddress } from '../apps/sources/install-address.ts';
import { StoredJobs } from '../jobs/job-store.ts';
import { pathExists } from '../shared/async/succeeds.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { broken, byHand, type CheckContext, type Finding, type Fix, untidy } from './check.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import { type AppFolder, readAppFolders } from './inventory.ts';

export interface AppHealth {
  readonly live: EnvironmentHealth;
  /** null: the app has no earlier version. */
  readonly previous: EnvironmentHealth | null;
  /** The address to install the app from again; null: its source no longer exists. */
  readonly url: string | null;
}

/** Checks each app's pointer, the environments that it names, and those that it does not. */
export async function checkApps(context: CheckContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One at a time: an import can use all the memory of a small machine.
  for (const folder of await readAppFolders(context.paths.apps)) {
    // The running app has started. Another import of it would ask for the same camera or port, and fail.
    if (folder.pointer?.app.name === context.runningApp()) continue;
    context.onDetail(`Trying ${folder.pointer?.app.name ?? folder.key}`);
    if (folder.pointer) findings.push(...findingsOfApp(folder, await healthOf(folder.pointer, folder.dir, context)));
    else if (folder.damage !== null) findings.push(damagedPointer(folder, await addressInJobs(folder.key, context)));
    else if (!context.isHeld) findings.push(missingPointer(folder));
    if (!context.isHeld) findings.push(...unusedEnvironments(folder));
  }
  return findings;
}

/** Findings about an app with a readable pointer; none for another. */
export function findingsOfApp({ key, dir, pointer }: AppFolder, { live, previous, url }: AppHealth): Finding[] {
  if (!pointer) return [];
  const { app, env, previous: before } = pointer;
  const findings: Finding[] = [];
  if (live.state !== 'ok') {
    const fix: Fix =
      previous?.state === 'ok' ? { kind: 'use-previous', key, appName: app.name } : installAgain(app.name, url);
    const what = `${app.name} cannot be started: ${describe(live)}.`;
    findings.push(broken(`environment-${live.state}`, what, join(dir, 'envs', env), fix));
  }
  if (before && previous && previous.state !== 'ok') {
    const what = `Cannot roll back to the earlier version of ${app.name}: ${describe(previous)}.`;
    findings.push(untidy('previous-broken', what, join(dir, 'envs', before.env), { kind: 'forget-previous', key }));
  }
  return findings;
}

function describe(health: EnvironmentHealth): string {
  switch (health.state) {
    case 'ok':
      return 'its environment works';
    case 'missing':
      return 'its environment is missing';
    case 'no-python':
      return "its environment's Python does not run; a system upgrade may have replaced it";
    case 'no-import':
      return `it cannot be imported (${health.why})`;
  }
}

function damagedPointer({ key, dir, damage }: AppFolder, url: string | null): Finding {
  const what = `An app is not listed because its record is damaged: ${damage}`;
  // Its files stay in place; the new install uses them.
  return broken('pointer-damaged', what, join(dir, POINTER), installAgain(key, url));
}

function missingPointer({ key, dir, hasContents }: AppFolder): Finding {
  if (!hasContents) {
    const what = `An install of ${key} was not finished.`;
    return untidy('half-installed', what, dir, { kind: 'remove', paths: [dir] });
  }
  const what = `Unknown app: its record is missing. The next start of the daemon removes this folder and the app's files.`;
  return broken('pointer-missing', what, dir, { kind: 'set-aside', path: dir });
}

function unusedEnvironments({ dir, pointer, envs, damage }: AppFolder): Finding[] {
  if (!pointer || damage !== null) return [];
  const used = [pointer.env, pointer.previous?.env];
  const paths = envs.filter((env) => !used.includes(env)).map((env) => join(dir, 'envs', env));
  if (paths.length === 0) return [];
  const what = `${pointer.app.name} has ${paths.length} environment(s) that no version uses.`;
  return [untidy('environments-unused', what, join(dir, 'envs'), { kind: 'remove', paths })];
}

function installAgain(appName: string, url: string | null): Fix {
  if (url !== null) return { kind: 'install-again', appName, url };
  return byHand(`Install ${appName} again from its source. Its own files are kept.`);
}

async function healthOf(
  { app, env, previous }: StoredVersion & { previous: StoredVersion | null },
  dir: string,
  context: CheckContext,
): Promise<AppHealth> {
  const health = (version: StoredVersion) => environmentHealth(join(dir, 'envs', version.env), version.app, context);
  const live = await health({ app, env });
  return { live, previous: previous && (await health(previous)), url: await addressOf(app.source, context) };
}

async function addressOf(source: StoredVersion['app']['source'], { samplesDir }: CheckContext): Promise<string | null> {
  const address = installAddress(source, { samplesDir });
  const isLocal = source.kind === 'folder' || source.kind === 'sample';
  return !isLocal || (await pathExists(address)) ? address : null;
}

/** @returns the address of the app's last install, from the saved jobs */
async function addressInJobs(key: string, { paths }: CheckContext): Promise<string | null> {
  const stored = await readJsonFile(paths.jobsFile, StoredJobs).catch(() => null);
  const last = stored?.jobs.findLast(
    ({ job }) => job.kind === 'install-app' && job.state === 'done' && normalizedName(job.appName ?? '') === key,
  );
  return last?.job.subject ?? null;
}
