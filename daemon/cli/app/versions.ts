import { sourceText } from '../../contract/apps/source-text.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { canAsk, confirm } from '../shared/ask.ts';
import { BadArguments } from '../shared/bad-arguments.ts';
import { type JsonOption, printResult } from '../shared/print.ts';
import type { AppContext } from './app-daemon.ts';

export interface RemoveOptions extends JsonOption {
  readonly yes?: boolean;
}

class NotRemoved extends DomainError {
  constructor(appName: string) {
    super(`${appName} is not removed.`);
  }
}

/** `robot-daemon app rollback`: returns to the earlier version. */
export async function rollBack({ client }: AppContext, appName: string, options: JsonOption): Promise<void> {
  const app = await client.call('rollBackApp', { params: { appName } });
  printResult(options, app, `${app.name} is at version ${app.version} again, from ${sourceText(app.source)}.\n`);
}

/** `robot-daemon app rm`: asks, and then removes an app. */
export async function remove({ client }: AppContext, appName: string, options: RemoveOptions): Promise<void> {
  const params = { appName };
  await client.call('getApp', { params }); // refuses an unknown one before it asks
  if (!options.yes) {
    if (!canAsk()) throw new BadArguments('app rm asks before it removes; without a terminal, give --yes.');
    const isSure = await confirm(`Remove ${appName}, with its environment and the files that it saved?`);
    if (!isSure) throw new NotRemoved(appName);
  }
  const left = await client.call('removeApp', { params });
  printResult(options, left, `${appName} is removed.\n`);
}
