import type { TerminalCall } from '../contract/daemon.ts';
import type { CommandWords } from './command-words.ts';
import { curlText } from './curl-text.ts';
import type { DaemonRequest } from './daemon-request.ts';
import { isPastable, shellWord } from './shell-words.ts';

/** A command line that calls `robot-daemon` for a daemon. @param words after the program's name */
export function commandText({ program, dataDir, shell }: TerminalCall, words: readonly string[]): string {
  const folder = dataDir === null ? [] : ['--data-dir', dataDir];
  return [...program, ...words, ...folder].map((word) => shellWord(word, shell)).join(' ');
}

/** The same for a person to copy and paste; null: a name in it cannot be pasted safely. */
export function copiedCommand(call: TerminalCall, { words, given }: CommandWords): string | null {
  return given.every((word) => isPastable(word, call.shell)) ? commandText(call, words) : null;
}

/** The variable of a copied request that holds a token: `TOKEN=$(robot-daemon token create)`. */
const TOKEN_VARIABLE = 'TOKEN';

/**
 * A request for a person to copy and paste, as a command line of curl for a shell of Unix.
 * @param origin of the daemon, `http://127.0.0.1:8000`
 */
export function copiedRequest(origin: string, { method, path, body }: DaemonRequest): string {
  // JSON.stringify leaves these characters, which steer a terminal.
  const shown = body?.replace(/[\x7f-\x9f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`) ?? null;
  return curlText({ method, url: origin + path, body: shown, tokenVariable: TOKEN_VARIABLE });
}
