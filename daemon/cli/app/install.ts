import { resolve } from 'node:path';
import { type JsonOption, printResult } from '../shared/print.ts';
import { type AppContext, followJob, jobText } from './app-daemon.ts';

export interface InstallOptions extends JsonOption {
  readonly revision?: string;
  readonly downloadPython?: boolean;
}

/** `robot-daemon app install`: installs or updates an app, and waits until that is done. */
export async function install(context: AppContext, app: string, options: InstallOptions): Promise<void> {
  const url = /^\.{1,2}(?:[\\/]|$)/.test(app) ? resolve(app) : app;
  const { revision, downloadPython } = options;
  const body = { url, ...(revision && { revision }), ...(downloadPython && { downloadPython }) };
  const job = await followJob(context, options, () => context.client.call('installApp', { body }));
  const text = jobText(job, {
    done: (name) => `${name} is installed.`,
    work: 'install',
    undone: 'Nothing was installed.',
  });
  printResult(options, job, `${text}\n`);
  if (job.state !== 'done') process.exitCode = 1;
}
