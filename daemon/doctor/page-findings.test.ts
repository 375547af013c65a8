import { expect, test } from 'vitest';
import type { FindingRepair } from '../contract/doctor/installation-check.ts';
import { type Finding, type Fix, note } from './check.ts';
import type { Diagnosis } from './examine.ts';
import { installationCheckOf } from './page-findings.ts';

const AT = new Date('2026-11-28T10:00:00.000Z');

function diagnosisOf(findings: readonly Finding[]): Diagnosis {
  return {
    ...{ dataDir: '/data', daemon: { pid: 7, url: 'http://127.0.0.1:8000', version: '1.2.3' }, installer: 'uv' },
    ...{ python: { executable: '/usr/bin/python3', version: '3.12.4' }, findings },
    secrets: { keyFile: 0, keychain: 2 },
    surroundings: {
      ...{ disk: { freeBytes: 12e9 }, hub: { url: 'https://hub.example', answers: true } },
      packageIndex: { answers: null },
    },
    containerEngine: {
      ...{ label: null, socket: null, isRootless: false, hasGpu: false },
      ...{ problem: null, action: null, command: null },
    },
    graphicsCards: { isOn: true, cards: [], problem: null, hasFailed: false },
    inventory: { parts: [], apps: [], modelFiles: [] },
  };
}

test('what was found out about the installation has its name', () => {
  expect(installationCheckOf(diagnosisOf([]), AT)).toEqual({
    checkedAt: '2026-11-28T10:00:00.000Z',
    findings: [],
    facts: [
      { name: 'data folder', text: '/data' },
      { name: 'daemon', text: 'process 7 at http://127.0.0.1:8000/' },
      { name: 'Python', text: '3.12.4, /usr/bin/python3' },
      { name: 'installer', text: 'uv' },
      { name: 'containers', text: 'no engine answers' },
      { name: 'graphics', text: 'none' },
      { name: 'secrets', text: "encrypted: 2 by the system's keychain" },
      { name: 'disk free', text: '12.0 GB' },
      { name: 'app store', text: 'answers' },
      { name: 'packages', text: 'not checked: no installer yet' },
    ],
  });
});

test('a finding has its usual cause where one is known', () => {
  const byHand: Fix = { kind: 'by-hand', how: 'Plug it in.' };
  const findings = [note('hub-offline', 'It is away.', 'the hub', byHand), note('new', 'It is new.', 'here', byHand)];
  expect(installationCheckOf(diagnosisOf(findings), AT).findings).toEqual([
    {
      ...{ code: 'hub-offline', severity: 'note', what: 'It is away.', where: 'the hub' },
      cause: 'This machine is offline, or a firewall or a proxy is in the way.',
      repair: { kind: 'by-hand', how: 'Plug it in.' },
    },
    {
      ...{ code: 'new', severity: 'note', what: 'It is new.', where: 'here' },
      cause: null,
      repair: { kind: 'by-hand', how: 'Plug it in.' },
    },
  ]);
});

const closed: FindingRepair = { kind: 'when-closed' };

test.each<[Fix, FindingRepair]>([
  [
    { kind: 'install-again', appName: 'dance', url: '/dance' },
    { kind: 'install-again', appName: 'dance', url: '/dance' },
  ],
  [
    { kind: 'use-previous', key: 'dance', appName: 'dance' },
    { kind: 'use-previous', appName: 'dance' },
  ],
  [{ kind: 'prune-cache', uv: null, cacheDir: '/cache' }, { kind: 'prune-downloads' }],
  [
    { kind: 'remove', paths: ['/models/a.part'], modelFile: 'f1' },
    { kind: 'remove-model-file', fileId: 'f1' },
  ],
  [{ kind: 'remove', paths: ['/data/jobs.json.1'] }, closed],
  [{ kind: 'set-aside', path: '/data/jobs.json' }, closed],
  [{ kind: 'empty-lock' }, closed],
  [{ kind: 'forget-previous', key: 'dance' }, closed],
  [{ kind: 'end-orphans' }, closed],
])('of the repair %j a running daemon can do %j', (fix, repair) => {
  const [finding] = installationCheckOf(diagnosisOf([note('x', 'It is so.', 'here', fix)]), AT).findings;
  expect(finding?.repair).toEqual(repair);
});
