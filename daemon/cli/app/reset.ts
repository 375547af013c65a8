import { DaemonError } from '../../client/daemon-error.ts';
import type { AppContents } from '../../contract/apps/reset.ts';
import { contentsText } from '../../contract/apps/reset-text.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import { confirm, Declined, requirePerson } from '../shared/ask.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, printError, printResult, textTable } from '../shared/print.ts';

export interface ResetOptions extends JsonOption {
  /** Brings back what the last reset removed. */
  readonly undo?: boolean;
  readonly yes?: boolean;
}

/** `robot-daemon app reset`: lists what a reset removes, asks, and then resets an app; or undoes its last reset. */
export async function reset(context: OnDaemon, appName: string, options: ResetOptions): Promise<void> {
  await (options.undo ? undo : removeSaved)(context, appName, options);
}

async function removeSaved({ client, signal }: OnDaemon, appName: string, options: ResetOptions): Promise<void> {
  const params = { appName };
  const { contents, setAside } = await client.call('getAppReset', { params, signal });
  const removed = contentsText(contents);
  if (removed !== null && !options.yes) {
    requirePerson('app reset asks before it resets');
    for (const line of listOf(contents)) printError(line);
    if (setAside) printError('The earlier reset can then no longer be undone.');
    const isSure = await confirm(`Reset ${appName}: remove ${removed}? It can be undone for 24 hours.`, signal);
    if (!isSure) throw new Declined(`${appName} is not reset.`);
  }
  const app = await client.call('resetApp', { params, signal }); // refuses where there is nothing, and says so
  const how = `To bring that back within 24 hours: robot-daemon app reset ${appName} --undo`;
  printResult(options, app, `${appName} is reset: ${removed ?? 'what it had saved'} removed.\n${how}\n`);
}

/** The lines of the list: the largest files with their sizes, the variables by their names. */
function listOf({ files, more, largest, variables }: AppContents): string[] {
  const rows = largest.map(({ path, bytes, besideCode }) => [
    byteText(bytes),
    besideCode ? `${path} (beside its code)` : path,
  ]);
  const others = files - largest.length;
  return [
    ...(rows.length > 0 ? textTable(['SIZE', 'FILE'], rows).trimEnd().split('\n') : []),
    ...(more ? ['and others'] : others > 0 ? [`and ${others} smaller ${others === 1 ? 'file' : 'files'}`] : []),
    ...(variables.length > 0 ? [`Variables: ${variables.join(', ')}`] : []),
  ];
}

/** Asks once the daemon has said what would be lost: only that knows what the undo replaces. */
async function undo({ client, signal }: OnDaemon, appName: string, options: ResetOptions): Promise<void> {
  const params = { appName };
  const { setAside } = await client.call('getAppReset', { params, signal });
  const call = (replace: boolean) => client.call('undoAppReset', { params, query: { replace }, signal });
  const app = await call(options.yes ?? false).catch(async (error: unknown) => {
    if (!(error instanceof DaemonError) || error.code !== 'saved-since-reset') throw error;
    requirePerson('app reset --undo asks before it replaces what was saved since');
    printError(error.message);
    if (!(await confirm(`Undo the reset of ${appName}, and lose that?`, signal)))
      throw new Declined(`The reset of ${appName} is not undone.`);
    return call(true);
  });
  const back = setAside && contentsText(setAside);
  printResult(options, app, `${appName} is as before its reset${back === null ? '' : `, and has ${back} again`}.\n`);
}
