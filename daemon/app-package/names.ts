import { AppName } from '../contract/apps/app-source.ts';
import { displayText } from '../shared/display-text.ts';
import { atKey, type KeyedFinding, problem } from './package-finding.ts';

/** The group of entry points in which an app declares itself. */
export const ENTRY_POINT_GROUP = 'robot_apps';

/** Names of devices on Windows, which cannot be used for files or folders, even with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** The name of a distribution by PEP 508. */
const DISTRIBUTION = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i;
const MAX_DISTRIBUTION = 128;

/** Checks names that become folders and command arguments. */
export function nameFindings(entryPoint: string, distribution: string): KeyedFinding[] {
  const app = nameProblem(entryPoint) ?? (AppName.safeParse(entryPoint).success ? null : allowedCharacters(64));
  const isDistribution = DISTRIBUTION.test(distribution) && distribution.length <= MAX_DISTRIBUTION;
  const project = nameProblem(distribution) ?? (isDistribution ? null : allowedCharacters(MAX_DISTRIBUTION));
  return [
    ...(app
      ? [
          atKey(
            problem('bad-name', `"${displayText(entryPoint, 80)}" cannot be the name of an app: ${app}.`),
            ...['project', 'entry-points', ENTRY_POINT_GROUP, entryPoint],
          ),
        ]
      : []),
    ...(project
      ? [
          atKey(
            problem('bad-name', `"${displayText(distribution, 80)}" cannot be the name of a project: ${project}.`),
            ...['project', 'name'],
          ),
        ]
      : []),
  ];
}

function nameProblem(name: string): string | null {
  if (name.startsWith('-')) return 'it would be read as an option';
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return 'it is a path';
  if (DEVICE.test(name)) return 'it is the name of a device on Windows';
  return null;
}

function allowedCharacters(most: number): string {
  return `letters, digits, and between them ".", "_" and "-", at most ${most}`;
}
