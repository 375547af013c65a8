import { mkdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { visibleText } from '../../daemon/shared/display-text.ts';
import { replaceFile } from '../../daemon/shared/files/atomic-file.ts';
import { readTextFile } from '../../daemon/shared/files/json-file.ts';
import { isProgram } from '../../daemon/shared/files/program-on-path.ts';
import { errorText } from '../../daemon/shared/logger.ts';
import { type LoginCommand, type LoginItem, LoginItemRefused } from './login-item.ts';

const FILE = 'robot-desktop.desktop';

/** The folder whose desktop entries a Linux desktop starts at login. @param home the user's home folder */
export function autostartFolder(env: NodeJS.ProcessEnv, home: string): string {
  const given = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(given) ? given : join(home, '.config'), 'autostart'); // the standard ignores relative ones
}

/** The login item of Linux: a desktop entry in the autostart folder. */
export function autostartFile(folder: string, command: LoginCommand): LoginItem {
  const file = join(folder, FILE);
  const entryInPlace = async () => {
    const text = await readTextFile(file).catch(() => null);
    return text !== null && isEnabled(text) ? text : null;
  };
  const write = async () => {
    const entry = autostartEntry(command);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(file, entry);
  };
  return {
    isOn: async () => (await entryInPlace()) !== null,
    switch: async (isOn) => {
      await (isOn ? write() : rm(file, { force: true })).catch((error: Error) => {
        if (error instanceof LoginItemRefused) throw error;
        throw new LoginItemRefused(`The file ${file} cannot be changed. ${error.message}`, { cause: error });
      });
    },
    renew: async () => {
      const text = await entryInPlace();
      const program = text === null ? null : programOf(text);
      if (program === null || (await isProgram(program))) return;
      await write().catch((error: unknown) => console.error(errorText(error)));
    },
  };
}

/**
 * The desktop entry that starts a program at login. Desktops skip it once the program is gone, as after its removal.
 * @throws LoginItemRefused for a path that no entry can hold
 */
export function autostartEntry({ program, args }: LoginCommand): string {
  const words = [program, ...args];
  // An entry has one line for each key.
  if (words.some((word) => /\p{Cc}/u.test(word)) || program.includes('=')) {
    const path = visibleText(program);
    throw new LoginItemRefused(`The path ${path} has characters that an entry for the login cannot hold.`);
  }
  return `[Desktop Entry]
Type=Application
Name=Robot Desktop
Comment=Opens at login. Robot Desktop has the switch, in Settings
Icon=robot-desktop
TryExec=${escaped(program)}
Exec=${escaped(words.map(argument).join(' '))}
Terminal=false
StartupNotify=false
`;
}

/** An argument for the key Exec: where needed in quotes, with escapes for what is special within them. */
function argument(word: string): string {
  const literal = word.replaceAll('%', '%%'); // else a code for what is opened
  return /^[\w./:%+,@-]+$/.test(literal) ? literal : `"${literal.replace(/["`$\\]/g, '\\$&')}"`;
}

/** Every text in an entry is read once more, for escapes of its own. */
const escaped = (text: string) => text.replaceAll('\\', '\\\\');

/** Whether the desktop starts an entry: its own settings switch entries off by a line in them. */
function isEnabled(entry: string): boolean {
  return !/^(?:Hidden\s*=\s*(?:true|1)|X-GNOME-Autostart-enabled\s*=\s*(?:false|0))\s*$/m.test(entry);
}

/** The program that an entry of ours starts; null: it names none. */
function programOf(entry: string): string | null {
  const value = /^TryExec=(.+)$/m.exec(entry)?.[1];
  return value === undefined ? null : value.replaceAll('\\\\', '\\');
}
