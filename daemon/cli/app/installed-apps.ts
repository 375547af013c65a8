import { resolve } from 'node:path';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import type { Job } from '../../contract/jobs.ts';
import { visibleText } from '../../shared/display-text.ts';
import { confirm, Declined, requirePerson } from '../shared/ask.ts';
import { followJob } from '../shared/follow-job.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, print, printError, printJson, printResult, textTable } from '../shared/print.ts';
import { holderName } from './runs.ts';

/** `robot-daemon app ls` */
export async function list({ client }: OnDaemon, options: JsonOption): Promise<void> {
  const [apps, slot] = await Promise.all([client.call('listApps'), client.call('getAppSlot')]);
  const holder = holderName(slot);
  const stateOf = ({ name }: InstalledApp) => (name === holder ? slot.state : 'off');
  const rows = apps.map((app) => [app.name, app.version, stateOf(app), updateText(app), shortSource(app)]);
  const text =
    rows.length === 0
      ? 'No apps. To install one: robot-daemon app install <address>\n'
      : textTable(['NAME', 'VERSION', 'STATE', 'UPDATE', 'SOURCE'], rows);
  printResult(
    options,
    apps.map((app) => ({ ...app, state: stateOf(app) })),
    text,
  );
}

function updateText({ pinned, update, updateProblem }: InstalledApp): string {
  if (pinned) return 'pinned';
  if (update) return 'available';
  return updateProblem === null ? '' : 'unknown';
}

function shortSource({ source }: InstalledApp): string {
  if (source.kind === 'folder') return source.path;
  if (source.kind === 'sample') return 'bundled';
  return source.kind === 'git' ? source.url : source.id;
}

interface InstallOptions extends JsonOption {
  readonly revision?: string;
  readonly downloadPython?: boolean;
}

/** `robot-daemon app install`: installs or updates an app, and waits until that is done. */
export async function install(context: OnDaemon, app: string, options: InstallOptions): Promise<void> {
  const url = /^\.{1,2}(?:[\\/]|$)/.test(app) ? resolve(app) : app;
  const { revision, downloadPython } = options;
  const body = { url, ...(revision && { revision }), ...(downloadPython && { downloadPython }) };
  const job = await workOf(context, options, () => context.client.call('installApp', { body }));
  printResult(options, job, `${jobText(job, 'install')}\n`);
}

export interface UpdateOptions extends JsonOption {
  readonly downloadPython?: boolean;
}

/** `robot-daemon app update`: updates one app, or all that have a newer version at their source. */
export async function update(context: OnDaemon, appName: string | undefined, options: UpdateOptions): Promise<void> {
  const names = appName === undefined ? await appsToUpdate(context, options) : [appName];
  const jobs: Job[] = [];
  for (const name of names) {
    const job = await workOf(context, options, () =>
      context.client.call('updateApp', {
        params: { appName: name },
        query: { downloadPython: options.downloadPython ?? false },
      }),
    );
    jobs.push(job);
    if (!options.json) print(`${jobText(job, 'update')}\n`);
  }
  if (options.json) printJson(appName === undefined ? jobs : jobs[0]);
  else if (names.length === 0) print('All apps are up to date.\n');
}

async function appsToUpdate({ client }: OnDaemon, { json }: JsonOption): Promise<readonly string[]> {
  const apps = await client.call('checkForUpdates');
  const unknown = apps.filter(({ updateProblem }) => updateProblem !== null);
  if (!json) for (const { name, updateProblem } of unknown) printError(`${name}: ${updateProblem}`);
  if (unknown.length > 0) process.exitCode = 1;
  return apps.filter(({ update: newer, pinned }: InstalledApp) => newer !== null && !pinned).map(({ name }) => name);
}

interface RemoveOptions extends JsonOption {
  readonly yes?: boolean;
}

/** `robot-daemon app rollback`: returns to the earlier version. */
export async function rollBack({ client }: OnDaemon, appName: string, options: JsonOption): Promise<void> {
  const app = await client.call('rollBackApp', { params: { appName } });
  printResult(options, app, `${app.name} is at version ${app.version} again, from ${sourceText(app.source)}.\n`);
}

/** `robot-daemon app rm`: asks, and then removes an app. */
export async function remove({ client, signal }: OnDaemon, appName: string, options: RemoveOptions): Promise<void> {
  const params = { appName };
  await client.call('getApp', { params }); // refuses an unknown one before it asks
  if (!options.yes) {
    requirePerson('app rm asks before it removes');
    const isSure = await confirm(`Remove ${appName}, with its environment and the files that it saved?`, signal);
    if (!isSure) throw new Declined(`${appName} is not removed.`);
  }
  const left = await client.call('removeApp', { params });
  printResult(options, left, `${appName} is removed.\n`);
}

/** Starts a job and follows it; unless it is done then, the exit code is 1. @throws Interrupted */
async function workOf(context: OnDaemon, options: JsonOption, begin: () => Promise<Job>): Promise<Job> {
  const ended = await followJob(context, options, begin);
  if (ended.state !== 'done') process.exitCode = 1;
  return ended;
}

/** The end of a job, for a person. */
function jobText({ state, subject, appName, failure }: Job, work: 'install' | 'update'): string {
  const name = appName ?? subject;
  if (state === 'done') return `${name} is ${work === 'install' ? 'installed' : 'up to date'}.`;
  if (!failure) return `The ${work} of ${name} was cancelled.`;
  const undone = work === 'install' ? 'Nothing was installed.' : `${name} stays as it was.`;
  const accept =
    failure.pythonDownload === undefined ? '' : ' Repeat this command with --download-python to accept that.';
  const apps = (failure.apps ?? []).map(({ name: found, address }) => `\n  ${visibleText(`${found}: ${address}`)}`);
  return `${undone} ${failure.message} ${failure.action}${accept}${apps.join('')}`;
}
