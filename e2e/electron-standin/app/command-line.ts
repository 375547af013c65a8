/** `app.commandLine`: the switches that the app was started with, and those that it appends before it is ready. */
import type { ChromiumSwitches } from '../browser/chromium-arguments.ts';
import { launch } from '../launch.ts';

export class CommandLine {
  readonly #given: ReadonlyMap<string, string>;
  readonly #appended: [name: string, value: string][] = [];

  constructor() {
    const end = launch.arguments.indexOf('--');
    const switches = launch.arguments.slice(0, end === -1 ? undefined : end).filter((text) => text.startsWith('--'));
    this.#given = new Map(switches.map(parseSwitch));
  }

  appendSwitch(name: string, value = ''): void {
    this.#appended.push([name, value]);
  }

  appendArgument(_value: string): void {}

  hasSwitch(name: string): boolean {
    return this.#given.has(name) || this.#appended.some(([appended]) => appended === name);
  }

  getSwitchValue(name: string): string {
    return this.#appended.findLast(([appended]) => appended === name)?.[1] ?? this.#given.get(name) ?? '';
  }

  removeSwitch(name: string): void {
    const kept = this.#appended.filter(([appended]) => appended !== name);
    this.#appended.splice(0, this.#appended.length, ...kept);
  }

  forChromium(): ChromiumSwitches {
    return { remoteDebuggingPort: this.#given.get('remote-debugging-port') ?? null, appended: this.#appended };
  }
}

function parseSwitch(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.slice(2).split('=');
  return [name, value.join('=')];
}
