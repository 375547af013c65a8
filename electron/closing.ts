import type { MessageBoxOptions } from 'electron';
import { errorText } from '../daemon/shared/logger.ts';
import type { DesktopSettings } from './desktop-settings.ts';
import type { ElectronHost } from './electron-host.ts';

/** The effect of closing the window. `stay-open`: its user cancelled it. */
type Closing = 'keep-running' | 'quit' | 'stay-open';

interface ClosingDeps {
  readonly ask: ElectronHost['ask'];
  readonly settings: Pick<DesktopSettings, 'status' | 'change'>;
  /** Looks for the tray. @returns why no icon is shown; null: one is */
  readonly noTray: () => Promise<string | null>;
  /** Whether the daemon ends with this program. */
  readonly hasOwnDaemon: boolean;
}

const question: MessageBoxOptions = {
  type: 'question',
  message: 'Keep Robot Desktop running in the tray?',
  detail:
    'Then the robot stays awake, and the running app goes on. If you quit, the app stops and the robot folds. You can change the answer in Settings.',
  buttons: ['Keep running', 'Quit', 'Cancel'],
  defaultId: 0,
  cancelId: 2,
};
/** The meanings of the first buttons; the last one changes nothing. */
const answers = ['keep-running', 'quit'] as const;

/**
 * Decides what closing the window does. Its user is asked once; the answer is kept. Without a tray the program quits:
 * nobody would find it again.
 */
export async function closing({ ask, settings, noTray, hasOwnDaemon }: ClosingDeps): Promise<Closing> {
  if (!hasOwnDaemon) return 'quit'; // the robot and its app stay as they are
  if ((await noTray()) !== null) return 'quit';
  const { closing: chosen } = settings.status;
  if (chosen !== 'ask' && chosen !== null) return chosen;
  const answer = answers[await ask(question)];
  if (answer === undefined) return 'stay-open';
  // If it cannot be kept, it holds this time, and is asked for again.
  await settings.change({ closing: answer }).catch((error: unknown) => console.error(errorText(error)));
  return answer;
}
