import type { App } from 'electron';
import { Conflict } from '../../daemon/shared/domain-error.ts';
import { linksIn, ownOptions } from '../links/install-link.ts';

/** Whether the program opens when its user logs in. */
export interface LoginItem {
  isOn(): Promise<boolean>;
  /** @throws LoginItemRefused; then it stays as it is */
  switch(isOn: boolean): Promise<void>;
  /** Names this program where the item names one that is no longer there, as after an update. Never rejects. */
  renew(): Promise<void>;
}

/** The program and its arguments at login. */
export interface LoginCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export class LoginItemRefused extends Conflict {}

/** The argument of a start at login. Before `--`, where Chromium ignores what it does not know. */
export const AT_LOGIN = '--at-login';

/** The facts about this start that `loginCommand` needs. */
interface ThisStart {
  readonly isPackaged: boolean;
  readonly execPath: string;
  /** The folder of the program's code. */
  readonly appPath: string;
  /** The file of the AppImage that it runs from, whose `execPath` is gone once it ends; undefined: it runs from none. */
  readonly appImage: string | undefined;
  /** The data folder, if it is not the one of a start without options; else null. */
  readonly dataDir: string | null;
}

/** The command that starts this program again, on its data folder; other options of this start are not repeated. */
export function loginCommand({ isPackaged, execPath, appPath, appImage, dataDir }: ThisStart): LoginCommand {
  const code = isPackaged ? [] : [appPath];
  const options = dataDir === null ? [] : ['--', '--data-dir', dataDir];
  return { program: appImage ?? execPath, args: [...code, AT_LOGIN, ...options] };
}

/**
 * The arguments of the start after a restart: a link that started the program is not opened twice, and the window is wanted.
 * @param argv the arguments of this start, with the program first
 */
export function argumentsAgain(argv: readonly string[], platform: NodeJS.Platform): string[] {
  const end = argv.indexOf('--');
  const words = argv.slice(1, end === -1 ? argv.length : end);
  const dropped = [AT_LOGIN, ...linksIn(argv)];
  const own = ownOptions(argv, platform);
  return [...words.filter((word) => !dropped.includes(word)), ...(own.length === 0 ? [] : ['--', ...own])];
}

/** The login item of Windows and macOS. */
export function systemLoginItem(
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  { program, args }: LoginCommand,
): LoginItem {
  // Windows has one line for both.
  const command = { path: program, args: args.map((each) => (/\s/.test(each) ? `"${each}"` : each)) };
  const isOn = () => app.getLoginItemSettings(command).openAtLogin;
  return {
    isOn: async () => isOn(),
    switch: async (wanted) => {
      app.setLoginItemSettings({ openAtLogin: wanted, ...command });
      if (isOn() === wanted) return;
      throw new LoginItemRefused('The system did not take the change. Look for login items in its own settings.');
    },
    renew: async () => {}, // an update keeps the place of the program
  };
}
