import type { ClosingChoice, DesktopUpdate } from '../../../daemon/contract/desktop.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';

export const closingChoices: readonly Choice<ClosingChoice>[] = [
  { value: 'ask', label: 'Ask me' },
  {
    value: 'keep-running',
    label: 'Keep running in the tray',
    description: 'The robot stays awake, and its app goes on.',
  },
  { value: 'quit', label: 'Quit', description: 'The running app stops, and the robot folds.' },
];

/** In a window that shows the daemon of another program. */
export const otherDaemon = 'This window shows the daemon of another program, and quits when you close it.';

/** Says where the program waits after a start at login without the window. @param hasTray whether the desktop shows an icon of it */
export const hiddenText = (hasTray: boolean): string =>
  hasTray ? 'Its icon in the tray opens the window.' : 'The window waits in the task bar, since there is no tray.';

export const loginHelp = 'Starts when you log in to this computer, and wakes the robot.';
export const updatesHelp = 'Asks once a day; downloads nothing until you say so.';

const installText = 'Installing it stops the app and other work, and folds the robot.';

/** Where an update stands, in a sentence; null: the control beside it says all. */
export function updateText(update: DesktopUpdate, version: string): string | null {
  switch (update.state) {
    case 'off':
      return update.reason;
    case 'none':
      return update.lookedAt === null ? null : `Version ${version} is the newest.`;
    case 'looking':
      return 'Checking for a newer version…';
    case 'available':
      return update.by === 'hand' ? 'Download it from the place where you got this one.' : null;
    case 'downloading':
      return null;
    case 'ready':
      return installText;
    case 'installing':
      return 'Stopping the app and folding the robot…';
    case 'failed':
      return `${update.reason} ${update.action} Version ${version} goes on.`;
  }
}
