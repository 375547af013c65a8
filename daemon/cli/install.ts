import { resolve } from 'node:path';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install as installApp } from '../client/node/install.ts';
import type { Job } from '../contract/jobs.ts';
import { visibleText } from '../shared/display-text.ts';
import { DomainError } from '../shared/domain-error.ts';
import { BadArguments } from './shared/bad-arguments.ts';
import { commandArguments } from './shared/command-arguments.ts';
import { daemonUrl } from './shared/daemon-url.ts';
import { print, printError, printJson } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';

const help = `Usage: robot-daemon install <address> [--download-python] [--json] [--data-dir <folder>]

Installs or updates an app through the running daemon, and waits until that is done. The address is a Space of the hub, a
git repository (https://…) or a folder: its full path, or one that begins with "." or "..". Its steps are on standard error.
  --download-python   lets uv download a Python, if the app needs another one than those that are installed
  --json              the install's job as JSON, without the steps

Exit codes: 0 installed, 1 failed, 2 bad arguments.
`;

class NoDaemon extends DomainError {
  constructor(folder: string) {
    super(`No robot daemon runs on ${folder}. Start it first: robot-daemon`);
  }
}

/** `robot-daemon install` */
export async function install(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help, ['json', 'download-python'], { maxPositionals: 1 });
    if (!given) return;
    const { paths, positionals, switches } = given;
    const [app] = positionals;
    if (app === undefined) throw new BadArguments('install needs the address of an app.');
    const address = /^\.{1,2}(?:[\\/]|$)/.test(app) ? resolve(app) : app;
    const url = await daemonUrl(paths);
    if (url === null) throw new NoDaemon(paths.root);
    const accepted = switches.has('download-python') ? { downloadPython: true } : {};
    const isJson = switches.has('json');
    const onJob = isJson ? () => {} : sayNewSteps();
    const job = await installApp(daemonAt(url), address, { ...accepted, pollMs: 500, onJob });
    if (isJson) printJson(job);
    else print(`${describe(job)}\n`);
    if (job.state !== 'done') process.exitCode = 1;
  } catch (error) {
    reportFailure(error);
  }
}

/** Says on standard error which step has begun, since some take minutes. */
function sayNewSteps(): (job: Job) => void {
  let begun = 0;
  return ({ steps }) => {
    const last = steps.findLastIndex(({ state }) => state !== 'pending');
    for (; begun <= last; begun += 1) {
      const step = steps[begun];
      if (step) printError(`${step.title}…`);
    }
  };
}

function describe({ state, subject, appName, failure }: Job): string {
  const name = appName ?? subject;
  if (state === 'done') return `${name} is installed.`;
  if (!failure) return `The install of ${name} was cancelled.`;
  const accept =
    failure.pythonDownload === undefined ? '' : ' Repeat this command with --download-python to accept that.';
  const apps = (failure.apps ?? []).map(({ name: found, address }) => `\n  ${visibleText(`${found}: ${address}`)}`);
  return `Nothing was installed. ${failure.message} ${failure.action}${accept}${apps.join('')}`;
}
