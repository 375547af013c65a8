import { askSystemTool } from '../../daemon/shared/processes/system-tool.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const PATH = '/StatusNotifierWatcher';
const PROPERTY = 'IsStatusNotifierHostRegistered';
const GET = 'org.freedesktop.DBus.Properties.Get';
const TIMEOUT_MS = 2_000;
const asText = (value: string) => `string:${value}`;

/** The same question to the session's bus, by the tools that a desktop may have. */
const questions: readonly (readonly [tool: string, args: readonly string[]])[] = [
  ['busctl', ['--user', 'get-property', WATCHER, PATH, WATCHER, PROPERTY]],
  ['gdbus', ['call', '--session', '--dest', WATCHER, '--object-path', PATH, '--method', GET, WATCHER, PROPERTY]],
  ['dbus-send', ['--session', '--print-reply', `--dest=${WATCHER}`, PATH, GET, ...[WATCHER, PROPERTY].map(asText)]],
];

/**
 * Whether something on a Linux desktop shows tray icons. Electron does not tell: it makes an icon also where nobody
 * shows it. A desktop whose bus cannot be asked counts as one without.
 */
export async function hasTrayHost(ask: typeof askSystemTool = askSystemTool): Promise<boolean> {
  for (const [tool, args] of questions) {
    if (/\btrue\b/.test(await ask(tool, args, { timeoutMs: TIMEOUT_MS }))) return true;
  }
  return false;
}
