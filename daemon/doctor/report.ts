import type { Diagnosis } from './examine.ts';
import type { Finding, Fix, Mended } from './finding.ts';

/** What a diagnosis says to a person. */
export function reportText(diagnosis: Diagnosis): string {
  const { dataDir, daemon, python, installer, surroundings, inventory, findings } = diagnosis;
  const { disk, hub, packageIndex } = surroundings;
  const rows: [string, string][] = [
    ['data folder', dataDir],
    ['daemon', daemon ? `process ${daemon.pid}${daemon.url ? ` at ${daemon.url}/` : ''}` : 'none runs'],
    ['Python', python ? `${python.version}, ${python.executable}` : 'none'],
    ['installer', installer],
    ['disk free', size(disk.freeBytes)],
    ['app store', hub.answers ? 'answers' : 'offline'],
    [
      'packages',
      { true: 'index answers', false: 'index offline', null: 'not asked: no tool yet' }[`${packageIndex.answers}`],
    ],
  ];
  const apps = inventory.apps.map(({ name, version, environmentBytes, previous, filesBytes }) => {
    const before = previous ? `, ${previous.version} before it ${size(previous.bytes)}` : '';
    return `  ${name} ${version}: ${size(environmentBytes)}${before}, its files ${size(filesBytes)}\n`;
  });
  return [
    rows.map(([name, text]) => `${name.padEnd(12)} ${text}\n`).join(''),
    '\nOn the disk\n',
    inventory.parts.map(({ name, bytes }) => `  ${name.padEnd(10)} ${size(bytes).padStart(9)}\n`).join(''),
    apps.length > 0 ? `\nApps\n${apps.join('')}` : '',
    findings.length > 0 ? `\nFound\n${findings.map(findingText).join('')}` : '\nNothing is wrong.\n',
  ].join('');
}

export function mendedText(mended: readonly Mended[]): string {
  const lines = mended.map(
    ({ code, where, done, what }) => `  ${done ? 'done' : 'NOT '}  ${code}: ${what}\n        ${where}\n`,
  );
  return lines.length > 0 ? `\nMended\n${lines.join('')}` : '\nThere was nothing to mend.\n';
}

function findingText({ code, severity, what, where, fix }: Finding): string {
  return `  ${severity.padEnd(7)} ${what}\n          ${code}, ${where}\n          ${fixText(fix)}\n`;
}

function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'by-hand':
      return fix.how;
    case 'remove':
      return '--fix removes it.';
    case 'set-aside':
      return '--fix keeps it under another name, out of the way.';
    case 'use-previous':
      return '--fix returns to the version before.';
    case 'forget-previous':
      return '--fix gives that version up.';
    case 'install-again':
      return `--fix installs it again from ${fix.url}.`;
    case 'end-orphans':
      return '--fix ends them.';
    case 'prune-cache':
      return '--fix prunes it.';
  }
}

/** `1.4 GB`, `12 MB`, `3 kB`. */
function size(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  return bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${Math.ceil(bytes / 1024)} kB`;
}
