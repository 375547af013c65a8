import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import { isInWindow, quitProgram } from '../../navigation/in-window.ts';
import { hrefOf } from '../../navigation/route.ts';
import { holderOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { answered } from '../../slices/base/answers.ts';
import { playBlockedReason } from '../../slices/robot/robot-commands.ts';
import { movesKey } from '../../slices/robot/robot-slice.ts';
import type { Dashboard } from '../../store/dashboard-store.ts';
import { moveTitle } from '../robot/moves-text.ts';
import { withCtrl } from '../shortcuts/shortcut-text.ts';
import { isUpdatable } from '../versions/version-text.ts';
import type { PaletteItem } from './palette-item.ts';

/** The lines for help, and for the end of the program, which only its window has. */
export function helpItems(): PaletteItem[] {
  const href = hrefOf('help');
  const report = hrefOf('help', { query: 'section=report' });
  return [
    { id: 'help', label: 'Help', hint: 'page', words: 'guides documentation manual licence version about', href },
    { id: 'doctor', label: 'Check this installation', hint: 'page', words: 'doctor repair health diagnose', href },
    { id: 'report', label: 'Report a problem', hint: 'page', words: 'bug issue log diagnostics support', href: report },
    ...(isInWindow
      ? [{ id: 'quit', label: 'Quit Robot Desktop…', hint: withCtrl('Q'), words: 'exit close end', run: quitProgram }]
      : []),
  ];
}

/** The lines that update an app, and look for updates. */
export function updateItems(dashboard: Dashboard): PaletteItem[] {
  const { installedApps, checkForUpdates, sendAppCommand } = dashboard;
  if (installedApps.length === 0) return [];
  return [
    ...installedApps.filter(isUpdatable).map(({ name }) => ({
      ...{ id: `update ${name}`, label: `Update ${titleOf(dashboard, name)}`, hint: 'action', words: name },
      href: hrefOf('apps', { appName: name, tab: 'versions' }),
      run: () => sendAppCommand(name, 'update'),
    })),
    {
      ...{ id: 'updates', label: 'Check the apps for updates', hint: 'action', words: 'new version upgrade' },
      href: hrefOf('apps'),
      run: () => checkForUpdates(),
    },
  ];
}

/** A line for each emotion and dance, once something is typed: there are dozens. */
export function moveItems(dashboard: Dashboard, typed: string): PaletteItem[] {
  const { robot, playMove } = dashboard;
  const moves = answered<readonly OwnMove[]>(movesKey)(dashboard);
  if (!robot || !moves || typed.trim() === '') return [];
  const reason = playBlockedReason(robot, holderOf(dashboard));
  return moves.map(({ name, kind }) => {
    const item = { id: `play ${name}`, label: `Play ${moveTitle(name)}`, words: `${kind} move ${name}` };
    const href = hrefOf('robot', { tab: 'moves' });
    // Where it is blocked, the Robot page says why.
    return reason === null ? { ...item, href, hint: kind, run: () => playMove(name) } : { ...item, href, hint: reason };
  });
}
