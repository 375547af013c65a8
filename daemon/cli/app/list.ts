import type { InstalledApp } from '../../contract/apps/apps.ts';
import { type JsonOption, printResult } from '../shared/print.ts';
import { textTable } from '../shared/text-table.ts';
import { type AppContext, holderName } from './app-daemon.ts';

/** `robot-daemon app ls` */
export async function list({ client }: AppContext, options: JsonOption): Promise<void> {
  const [apps, slot] = await Promise.all([client.call('listApps'), client.call('getAppSlot')]);
  const holder = holderName(slot);
  const stateOf = ({ name }: InstalledApp) => (name === holder ? slot.state : 'off');
  const rows = apps.map((app) => [app.name, app.version, stateOf(app), updateText(app), sourceText(app)]);
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

function sourceText({ source }: InstalledApp): string {
  if (source.kind === 'folder') return source.path;
  if (source.kind === 'sample') return 'bundled';
  return source.kind === 'git' ? source.url : source.id;
}
