const MiB = 1024 ** 2;

interface VulkanCard {
  /** Its name for `--device`, such as `Vulkan0`. */
  readonly device: string;
  readonly name: string;
  readonly totalBytes: number;
}

/** The features of an installed llama-server, read from its output: versions differ, and so do the builds of one version. */
export interface LlamaServerCapabilities {
  /** Such as `0.7.0` or `b11146`. */
  readonly version: string;
  /** The names of its options, such as `--ctx-size` and `-c`. */
  readonly options: ReadonlySet<string>;
  /** The kinds of speculative decoding, as `--spec-type` takes them. */
  readonly specTypes: readonly string[];
  /** The chat templates that it knows by name; empty: it lists none. */
  readonly chatTemplates: readonly string[];
  readonly listensOnSockets: boolean;
  /** The graphics cards that it can use, such as `CUDA0`. */
  readonly devices: readonly string[];
  /** Those of them that it uses by Vulkan. */
  readonly vulkanCards: readonly VulkanCard[];
  /** Whether it tells only with `--verbosity 4` what it puts on a graphics card: from build 9181 on (llama.cpp's #23162). */
  readonly hidesLoading: boolean;
}

/**
 * @param version the output of `--version`
 * @param help the output of `--help`
 * @param devices the output of `--list-devices`; empty: it has no such option
 * @returns null when the texts are not llama-server's
 */
export function readCapabilities(
  version: readonly string[],
  help: readonly string[],
  devices: readonly string[],
): LlamaServerCapabilities | null {
  const options = new Set(help.flatMap(optionNames));
  const name = version.map((line) => /^version: (.+)$/.exec(line.trim())?.[1]).find((text) => text !== undefined);
  if (name === undefined || !options.has('--model') || !options.has('--host')) return null;
  const types = help.map((line) => /^--spec-type (\S+)/.exec(line)?.[1]).find((text) => text !== undefined);
  return {
    version: versionName(name),
    options,
    specTypes: types?.split(/[,|]/) ?? [],
    chatTemplates: listOf(/list of built-in templates:\s*/, entryOf('--chat-template', help)),
    listensOnSockets: /unix socket|\.sock\b/i.test(entryOf('--host', help)),
    vulkanCards: devices.flatMap(vulkanCard),
    hidesLoading: /\b4: trace\b/.test(entryOf('--verbosity', help)),
    devices: devices.flatMap((line) => /^\s+(\w+): \S/.exec(line)?.[1] ?? []),
  };
}

/** `  Vulkan0: A card (81559 MiB, 80000 MiB free)` */
function vulkanCard(line: string): VulkanCard[] {
  const parts = /^\s+(Vulkan\d+): (.+) \((\d+) MiB, \d+ MiB free\)/.exec(line);
  if (!parts) return [];
  const [, device = '', name = '', total] = parts;
  return [{ device, name, totalBytes: Number(total) * MiB }];
}

/** `0.7.0 (build 11669, commit Debian)` is version 0.7.0, `11120 (9f70b2ce)` is build b11120. */
function versionName(text: string): string {
  const [first = text] = text.split(' ');
  return /^\d+$/.test(first) ? `b${first}` : first;
}

/** The names at the start of a line, such as `-m,    --model FNAME   the model`; none on the lines of a description. */
function optionNames(line: string): string[] {
  const names: string[] = [];
  const name = /(--?[A-Za-z][\w.-]*)(, *)?/y;
  for (let match = name.exec(line); match !== null; match = name.exec(line)) {
    names.push(match[1] as string);
    if (match[2] === undefined) break;
  }
  return names;
}

/** The names after a heading, such as `a, b, c`, up to the next text that is no name. */
function listOf(heading: RegExp, entry: string): string[] {
  const rest = entry.split(heading)[1] ?? '';
  const [list = ''] = /^[\w.-]+(?:,\s*[\w.-]+)*/.exec(rest) ?? [];
  return list === '' ? [] : list.split(/,\s*/);
}

/** The lines about an option, its description included. */
function entryOf(option: string, help: readonly string[]): string {
  const start = help.findIndex((line) => optionNames(line).includes(option));
  if (start === -1) return '';
  const length = help.slice(start + 1).findIndex((line) => line.startsWith('-'));
  return help.slice(start, length === -1 ? undefined : start + 1 + length).join(' ');
}
