import { join } from 'node:path';
import { POINTER, type StoredVersion } from '../apps/installed/app-pointer.ts';
import { appKey } from '../apps/installed/installed-apps.ts';
import { installAddress } from '../apps/sources/install-address.ts';
import { jobStore } from '../jobs/job-store.ts';
import { pathExists } from '../shared/async/succeeds.ts';
import { type AppFolder, readAppFolders } from './app-folders.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import type { Examined } from './examined.ts';
import type { Finding, Fix } from './finding.ts';

/** How the environments of an app are, and where it can be had again; null: it has no version before, no such place. */
export interface AppHealth {
  readonly live: EnvironmentHealth;
  readonly previous: EnvironmentHealth | null;
  readonly url: string | null;
}

/** Each app: its pointer, what that names, and what it does not. */
export async function checkApps(examined: Examined): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One after the other: each import may take all that a small machine has.
  for (const folder of await readAppFolders(examined.paths.apps)) {
    if (folder.pointer) findings.push(...findingsOfApp(folder, await healthOf(folder.pointer, folder.dir, examined)));
    else if (folder.damage !== null)
      findings.push(damagedPointer(folder, await addressInRecords(folder.key, examined)));
    else if (!examined.isHeld) findings.push(withoutPointer(folder));
    if (!examined.isHeld) findings.push(...unusedEnvironments(folder));
  }
  return findings;
}

/** What is wrong with an app whose pointer can be read. */
export function findingsOfApp({ key, dir, pointer }: AppFolder, { live, previous, url }: AppHealth): Finding[] {
  if (!pointer) return [];
  const { app, env, previous: before } = pointer;
  const findings: Finding[] = [];
  if (live.state !== 'well') {
    const again: Fix = url === null ? whereFrom(app.name) : { kind: 'install-again', appName: app.name, url };
    findings.push({
      code: `environment-${live.state}`,
      severity: 'broken',
      what: `${app.name} cannot be started: ${inWords(live)}.`,
      where: join(dir, 'envs', env),
      fix: previous?.state === 'well' ? { kind: 'use-previous', key, appName: app.name } : again,
    });
  }
  if (before && previous && previous.state !== 'well') {
    findings.push({
      code: 'previous-broken',
      severity: 'untidy',
      what: `The version of ${app.name} before cannot be returned to: ${inWords(previous)}.`,
      where: join(dir, 'envs', before.env),
      fix: { kind: 'forget-previous', key },
    });
  }
  return findings;
}

function inWords(health: EnvironmentHealth): string {
  switch (health.state) {
    case 'well':
      return 'it is well';
    case 'missing':
      return 'its environment is not there';
    case 'no-python':
      return "its environment's Python does not run, as after an upgrade of the system's";
    case 'no-import':
      return `it cannot be imported (${health.why})`;
  }
}

function damagedPointer({ key, dir, damage }: AppFolder, url: string | null): Finding {
  return {
    code: 'pointer-damaged',
    severity: 'broken',
    what: `An app is left out, for it is not known what it is: ${damage}`,
    where: join(dir, POINTER),
    // Its files stay where they are, and are the app's again.
    fix: url === null ? whereFrom(key) : { kind: 'install-again', appName: key, url },
  };
}

function withoutPointer({ key, dir, hasContents }: AppFolder): Finding {
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
    what: `It is not known which app this is; the next start of the daemon would remove it, with the app's files.`,
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

function whereFrom(appName: string): Fix {
  return { kind: 'by-hand', how: `Install ${appName} again from where it came from; what it has written is kept.` };
}

async function healthOf(
  { app, env, previous }: StoredVersion & { previous: StoredVersion | null },
  dir: string,
  examined: Examined,
): Promise<AppHealth> {
  const health = (version: StoredVersion) => environmentHealth(join(dir, 'envs', version.env), version.app, examined);
  const live = await health({ app, env });
  return { live, previous: previous && (await health(previous)), url: await addressOf(app.source, examined) };
}

async function addressOf(source: StoredVersion['app']['source'], { samplesDir }: Examined): Promise<string | null> {
  const address = installAddress(source, { samplesDir });
  const isLocal = source.kind === 'folder' || source.kind === 'sample';
  return !isLocal || (await pathExists(address)) ? address : null;
}

/** From where it was last installed, as the records of the jobs have it. */
async function addressInRecords(key: string, { paths }: Examined): Promise<string | null> {
  const records = await jobStore(paths.jobsFile)
    .load()
    .catch(() => []);
  const last = records.findLast(
    ({ job }) => job.kind === 'install-app' && job.state === 'done' && appKey(job.appName ?? '') === key,
  );
  return last?.job.subject ?? null;
}
