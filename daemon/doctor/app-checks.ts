import { join } from 'node:path';
import { appKey } from '../apps/installed/app-key.ts';
import { POINTER, type StoredVersion } from '../apps/installed/app-pointer.ts';
import { installAddress } from '../apps/sources/install-address.ts';
import { StoredJobs } from '../jobs/job-store.ts';
import { pathExists } from '../shared/async/succeeds.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import type { CheckContext, Finding, Fix } from './check.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import { type AppFolder, readAppFolders } from './inventory.ts';

/** The state of an app's environments. */
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
    const again: Fix = url === null ? installByHand(app.name) : { kind: 'install-again', appName: app.name, url };
    findings.push({
      code: `environment-${live.state}`,
      severity: 'broken',
      what: `${app.name} cannot be started: ${describe(live)}.`,
      where: join(dir, 'envs', env),
      fix: previous?.state === 'ok' ? { kind: 'use-previous', key, appName: app.name } : again,
    });
  }
  if (before && previous && previous.state !== 'ok') {
    findings.push({
      code: 'previous-broken',
      severity: 'untidy',
      what: `Cannot roll back to the earlier version of ${app.name}: ${describe(previous)}.`,
      where: join(dir, 'envs', before.env),
      fix: { kind: 'forget-previous', key },
    });
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
  return {
    code: 'pointer-damaged',
    severity: 'broken',
    what: `An app is not listed because its record is damaged: ${damage}`,
    where: join(dir, POINTER),
    // Its files stay in place; the new install uses them.
    fix: url === null ? installByHand(key) : { kind: 'install-again', appName: key, url },
  };
}

function missingPointer({ key, dir, hasContents }: AppFolder): Finding {
  const half = { code: 'half-installed', where: dir } as const;
  if (!hasContents) {
    return {
      ...half,
      severity: 'untidy',
      what: `An install of ${key} was not finished.`,
      fix: { kind: 'remove', paths: [dir] },
    };
  }
  return {
    ...half,
    code: 'pointer-missing',
    severity: 'broken',
    what: `Unknown app: its record is missing. The next start of the daemon removes this folder and the app's files.`,
    fix: { kind: 'set-aside', path: dir },
  };
}

function unusedEnvironments({ dir, pointer, envs, damage }: AppFolder): Finding[] {
  if (!pointer || damage !== null) return [];
  const used = [pointer.env, pointer.previous?.env];
  const paths = envs.filter((env) => !used.includes(env)).map((env) => join(dir, 'envs', env));
  if (paths.length === 0) return [];
  return [
    {
      code: 'environments-unused',
      severity: 'untidy',
      what: `${pointer.app.name} has ${paths.length} environment(s) that no version uses.`,
      where: join(dir, 'envs'),
      fix: { kind: 'remove', paths },
    },
  ];
}

function installByHand(appName: string): Fix {
  return { kind: 'by-hand', how: `Install ${appName} again from its source. Its own files are kept.` };
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
    ({ job }) => job.kind === 'install-app' && job.state === 'done' && appKey(job.appName ?? '') === key,
  );
  return last?.job.subject ?? null;
}
