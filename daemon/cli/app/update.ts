import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { type JsonOption, print, printError, printJson } from '../shared/print.ts';
import { type AppContext, followJob, jobText } from './app-daemon.ts';

export interface UpdateOptions extends JsonOption {
  readonly downloadPython?: boolean;
}

/** `robot-daemon app update`: updates one app, or all that have a newer version at their source. */
export async function update(context: AppContext, appName: string | undefined, options: UpdateOptions): Promise<void> {
  const names = appName === undefined ? await appsToUpdate(context, options) : [appName];
  const jobs: Job[] = [];
  for (const name of names) {
    const job = await followJob(context, options, () =>
      context.client.call('updateApp', {
        params: { appName: name },
        query: { downloadPython: options.downloadPython ?? false },
      }),
    );
    jobs.push(job);
    if (!options.json) print(`${textOf(job)}\n`);
    if (job.state !== 'done') process.exitCode = 1;
  }
  if (options.json) printJson(appName === undefined ? jobs : jobs[0]);
  else if (names.length === 0) print('All apps are up to date.\n');
}

async function appsToUpdate({ client }: AppContext, { json }: JsonOption): Promise<readonly string[]> {
  const apps = await client.call('checkForUpdates');
  const unknown = apps.filter(({ updateProblem }) => updateProblem !== null);
  if (!json) for (const { name, updateProblem } of unknown) printError(`${name}: ${updateProblem}`);
  if (unknown.length > 0) process.exitCode = 1;
  return apps.filter(({ update: newer, pinned }: InstalledApp) => newer !== null && !pinned).map(({ name }) => name);
}

const textOf = (job: Job) =>
  jobText(job, {
    done: (name) => `${name} is up to date.`,
    work: 'update',
    undone: `${job.appName ?? job.subject} stays as it was.`,
  });
