import { byteText } from '../contract/common/byte-text.ts';
import { visibleText } from '../shared/display-text.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import type { Finding, Fix, RepairResult } from './check.ts';
import { engineText } from './container-engine-check.ts';
import type { Diagnosis } from './examine.ts';
import { graphicsText } from './graphics-card-check.ts';
import { secretsText } from './secret-checks.ts';

/** The tools and the services that were found, each with its name. */
export function factsOf(diagnosis: Diagnosis): readonly (readonly [name: string, text: string])[] {
  const { dataDir, daemon, python, installer, surroundings, containerEngine, graphicsCards, secrets } = diagnosis;
  const { disk, hub, packageIndex } = surroundings;
  return [
    ['data folder', dataDir],
    ['daemon', daemon ? `process ${daemon.pid}${daemon.url ? ` at ${daemon.url}/` : ''}` : 'not running'],
    ['Python', python ? `${python.version}, ${python.executable}` : 'none'],
    ['installer', installer],
    ['containers', engineText(containerEngine)],
    ['graphics', graphicsText(graphicsCards)],
    ['secrets', secrets ? secretsText(secrets, dataPaths(dataDir).secretKeyFile) : 'unknown'],
    ['disk free', disk.freeBytes === null ? 'unknown' : byteText(disk.freeBytes)],
    ['app store', hub.answers ? 'answers' : 'offline'],
    [
      'packages',
      { true: 'index answers', false: 'index offline', null: 'not checked: no installer yet' }[
        `${packageIndex.answers}`
      ],
    ],
  ];
}

/** A diagnosis as text for a person. */
export function reportText(diagnosis: Diagnosis): string {
  const { inventory, findings } = diagnosis;
  const apps = inventory.apps.map(({ name, version, environmentBytes, previous, filesBytes, resetBytes }) => {
    const before = previous ? `, earlier version ${visibleText(previous.version)} ${byteText(previous.bytes)}` : '';
    const aside = resetBytes > 0 ? `, set aside by a reset ${byteText(resetBytes)}` : '';
    const files = `app files ${byteText(filesBytes)}${aside}`;
    return `  ${visibleText(`${name} ${version}`)}: ${byteText(environmentBytes)}${before}, ${files}\n`;
  });
  const models = inventory.modelFiles.map(({ repository, path, bytes, state, users }) => {
    const isWhole = state === 'complete' ? '' : `, ${state}`;
    const used = users.length > 0 ? `used by ${users.join(', ')}` : 'unused';
    return `  ${visibleText(`${repository} ${path}`)}: ${byteText(bytes)}${isWhole}, ${visibleText(used)}\n`;
  });
  return [
    factsOf(diagnosis)
      .map(([name, text]) => `${name.padEnd(12)} ${visibleText(text)}\n`)
      .join(''),
    '\nDisk use\n',
    inventory.parts.map(({ name, bytes }) => `  ${name.padEnd(12)} ${byteText(bytes).padStart(9)}\n`).join(''),
    apps.length > 0 ? `\nApps\n${apps.join('')}` : '',
    models.length > 0 ? `\nModel files\n${models.join('')}` : '',
    findings.length > 0 ? `\nFound\n${findings.map(findingText).join('')}` : '\nNo problems found.\n',
  ].join('');
}

export function repairsText(results: readonly RepairResult[]): string {
  const lines = results.map(
    ({ code, where, done, what }) =>
      `  ${done ? 'done' : 'NOT '}  ${code}: ${visibleText(what)}\n        ${visibleText(where)}\n`,
  );
  return lines.length > 0 ? `\nRepaired\n${lines.join('')}` : '\nNothing to repair.\n';
}

function findingText({ code, severity, what, where, fix }: Finding): string {
  return `  ${severity.padEnd(7)} ${visibleText(what)}\n          ${code}, ${visibleText(where)}\n          ${visibleText(fixText(fix))}\n`;
}

function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'by-hand':
      return fix.how;
    case 'remove':
      return '--fix removes it.';
    case 'empty-lock':
      return '--fix empties it.';
    case 'set-aside':
      return '--fix renames it and starts a new one.';
    case 'use-previous':
      return '--fix rolls back to the earlier version.';
    case 'forget-previous':
      return '--fix removes that version.';
    case 'install-again':
      return `--fix installs it again from ${fix.url}.`;
    case 'end-orphans':
      return '--fix ends them.';
    case 'prune-cache':
      return '--fix prunes it.';
  }
}
