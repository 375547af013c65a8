import { AppName } from '../contract/apps/app-source.ts';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, problem } from './package-finding.ts';

/** Names of devices on Windows, where no file or folder can have them, whatever is added after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** What PEP 508 takes for the name of a distribution. */
const DISTRIBUTION = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i;
const MAX_DISTRIBUTION = 128;

/** Both names become names of folders and arguments of commands. */
export function nameFindings(entryPoint: string, distribution: string): PackageFinding[] {
  const app = nameProblem(entryPoint) ?? (AppName.safeParse(entryPoint).success ? null : allowedCharacters(64));
  const isDistribution = DISTRIBUTION.test(distribution) && distribution.length <= MAX_DISTRIBUTION;
  const project = nameProblem(distribution) ?? (isDistribution ? null : allowedCharacters(MAX_DISTRIBUTION));
  return [
    ...(app ? [problem('bad-name', `"${displayText(entryPoint, 80)}" cannot be the name of an app: ${app}.`)] : []),
    ...(project
      ? [problem('bad-name', `"${displayText(distribution, 80)}" cannot be the name of a project: ${project}.`)]
      : []),
  ];
}

function nameProblem(name: string): string | null {
  if (name.startsWith('-')) return 'it would be read as an option';
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return 'it is a path';
  if (DEVICE.test(name)) return 'Windows keeps it for a device';
  return null;
}

function allowedCharacters(most: number): string {
  return `letters, digits, and between them ".", "_" and "-", at most ${most}`;
}
