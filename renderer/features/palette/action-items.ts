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

/** The lines for help, and for the end of the program: only its window can end it. In a browser, a search for it finds where. */
export function helpItems({ daemon }: Dashboard, typed: string): PaletteItem[] {
  const href = hrefOf('help');
  const report = hrefOf('help', { query: 'section=report' });
  return [
    { id: 'help', label: 'Help', hint: 'page', words: 'guides documentation manual licence version about', href },
    { id: 'doctor', label: 'Check this installation', hint: 'page', words: 'doctor repair health diagnose', href },
    { id: 'report', label: 'Report a problem', hint: 'page', words: 'bug issue log diagnostics support', href: report },
    ...(isInWindow ? [{ ...quit, label: 'Quit Robot Desktop…', hint: withCtrl('Q'), run: quitProgram }] : []),
    ...(isInWindow || typed.trim() === '' ? [] : [{ ...quit, hint: quitHint(daemon), href: hrefOf('settings') }]),
  ];
}

const quit = { id: 'quit', label: 'Quit Robot Desktop', words: 'exit close end' };
const quitHint = (daemon: Dashboard['daemon']): string =>
  daemon?.desktop ? 'in its window or its tray' : 'where the daemon was started';

const programUpdates: PaletteItem = {
  id: 'program-updates',
  label: 'Updates of Robot Desktop',
  hint: 'setting',
  words: 'new version upgrade program',
  href: hrefOf('settings', { query: 'section=desktop' }),
};

/** The lines that update an app, look for updates, and lead to those of the program, which only its window gets. */
export function updateItems(dashboard: Dashboard): PaletteItem[] {
  const { installedApps, checkForUpdates, sendAppCommand } = dashboard;
  const ofProgram = isInWindow ? [programUpdates] : [];
  if (installedApps.length === 0) return ofProgram;
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
    ...ofProgram,
  ];
}

/** A search for Stop finds why there is nothing to stop. */
export function noStopItems({ robot, slot }: Dashboard, typed: string): PaletteItem[] {
  const stops = slot.state !== 'free' && slot.holder.kind === 'managed-app';
  if (!robot || typed.trim() === '' || stops || robot.motion !== null) return [];
  const hint = slot.state === 'free' ? 'nothing runs' : 'where the program was started';
  return [{ id: 'stop', label: 'Stop', hint, words: 'end halt app motion', href: hrefOf('home') }];
}

/** A line for each emotion and dance, once something is typed: there are dozens. */
export function moveItems(dashboard: Dashboard, typed: string): PaletteItem[] {
  const { robot, playMove } = dashboard;
  const moves = answered<readonly OwnMove[]>(movesKey)(dashboard);
  if (!robot || !moves || typed.trim() === '') return [];
  const reason = playBlockedReason(robot, holderOf(dashboard));
  return moves.map(({ name, kind }) => {
    const item = { id: `play ${name}`, label: `Play ${moveTitle(name)}`, words: `${kind}s moves ${name}` };
    const href = hrefOf('robot', { tab: 'moves' });
    // Where it is blocked, the Robot page says why.
    return reason === null ? { ...item, href, hint: kind, run: () => playMove(name) } : { ...item, href, hint: reason };
  });
}
