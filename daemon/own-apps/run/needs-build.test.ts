import { expect, test } from 'vitest';
import { AppManifest, type InstalledApp } from '../../contract/apps/apps.ts';
import { appNamed } from '../../testing/apps/some-apps.ts';
import { needsBuild } from './runnable-folder.ts';

const folder = '/home/ann/dance';
const installed: InstalledApp = { ...(appNamed('dance') as InstalledApp), source: { kind: 'folder', path: folder } };
const manifest: AppManifest = AppManifest.parse(installed);

test.each<[string, Partial<AppManifest>, boolean]>([
  ['nothing', {}, false],
  ['the version', { version: '9.9' }, false],
  ['the title and the emoji', { title: 'Tango', emoji: '🕺' }, false],
  ['a dependency', { dependencies: ['robot-sdk', 'requests'] }, true],
  ['the range of Pythons', { requiresPython: '>=3.12' }, true],
  ['the common libraries', { baseline: !manifest.baseline }, true],
  ['the entry point', { module: 'dance.tango' }, true],
  ['the name', { name: 'tango' }, true],
])('a change of %s: %s needs a build: %s', (_, change, isNeeded) => {
  expect(needsBuild(installed, { ...manifest, ...change }, folder)).toBe(isNeeded);
});

test('an assigned endpoint is no declaration', () => {
  const need = AppManifest.shape.needs.parse([{ name: 'chat', task: 'text-generation', optional: true }]);
  const assigned = need.map((each) => ({ ...each, endpoint: { namespace: 'lab', name: 'tiny' } }));
  expect(needsBuild({ ...installed, needs: assigned }, { ...manifest, needs: need }, folder)).toBe(false);
  expect(needsBuild(installed, { ...manifest, needs: need }, folder)).toBe(true);
});

test('what is installed from elsewhere, or not at all, is built', () => {
  expect(needsBuild(null, manifest, folder)).toBe(true);
  expect(needsBuild(installed, manifest, '/home/ann/other')).toBe(true);
});
