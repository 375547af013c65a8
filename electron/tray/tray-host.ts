import { askSystemTool } from '../../daemon/shared/processes/system-tool.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const PATH = '/StatusNotifierWatcher';
const PROPERTY = 'IsStatusNotifierHostRegistered';
const GET = 'org.freedesktop.DBus.Properties.Get';
const TIMEOUT_MS = 2_000;
const asText = (value: string) => `string:${value}`;

type Question = readonly [tool: string, args: readonly string[]];

/** The same question to the session's bus, by the tools that a desktop may have. */
const questions: readonly Question[] = [
  ['busctl', ['--user', 'get-property', WATCHER, PATH, WATCHER, PROPERTY]],
  ['gdbus', ['call', '--session', '--dest', WATCHER, '--object-path', PATH, '--method', GET, WATCHER, PROPERTY]],
  ['dbus-send', ['--session', '--print-reply', `--dest=${WATCHER}`, PATH, GET, ...[WATCHER, PROPERTY].map(asText)]],
];

/**
 * Looks whether something on a Linux desktop shows tray icons. Electron does not tell: it makes an icon also where nobody
 * shows it.
 */
export class TrayHost {
  readonly #ask: typeof askSystemTool;
  /** The tools to ask: all at once, until one has answered. */
  #questions = questions;

  constructor(ask: typeof askSystemTool = askSystemTool) {
    this.#ask = ask;
  }

  /** Asks the bus, for at most 2 s. @returns false also if it cannot be asked */
  async isThere(): Promise<boolean> {
    try {
      return await Promise.any(this.#questions.map((question) => this.#answer(question)));
    } catch {
      this.#questions = questions;
      return false;
    }
  }

  /** @throws Error when the tool gives no answer: it is missing, or the bus is */
  async #answer(question: Question): Promise<boolean> {
    const [tool, args] = question;
    const [answer] = /\b(?:true|false)\b/.exec(await this.#ask(tool, args, { timeoutMs: TIMEOUT_MS })) ?? [];
    if (answer === undefined) throw new Error(`${tool} gives no answer.`);
    this.#questions = [question];
    return answer === 'true';
  }
}
