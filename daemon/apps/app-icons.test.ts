import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { NoIconToShow } from '../app-package/icon/package-icon.ts';
import { pngPicture, svgPicture } from '../testing/apps/pictures.ts';
import { appNamed, appsIn, haveInstalled } from '../testing/apps/some-apps.ts';
import { AppIcons, keepIcon } from './app-icons.ts';
import { AppNotInstalled } from './installed/errors.ts';
import type { InstalledApps } from './installed/installed-apps.ts';

let root: string;
let source: string;
let apps: InstalledApps;
let log: string[];
beforeEach(async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), 'app-icons-'));
  onTestFinished(() => folder.remove());
  root = folder.path;
  log = [];
  source = join(root, 'source');
  await mkdir(source);
  apps = await appsIn(root);
  await haveInstalled(apps, appNamed('dance'));
});
const icons = () => new AppIcons({ apps, samples: () => [{ name: 'wave', url: source }] });
const keep = () => keepIcon(source, apps.environmentOf('dance'), (line) => void log.push(line));

test('a version keeps the icon of its package, also when the package is gone', async () => {
  await writeFile(join(source, 'icon.png'), pngPicture());
  expect(await keep()).toMatch(/^[0-9a-f]{16}$/);
  await writeFile(join(source, 'icon.png'), 'something else');
  expect(await icons().installed('dance')).toEqual({ type: 'image/png', bytes: pngPicture() });
});

test('the log of an install says why an icon is not shown; a package without one is no news', async () => {
  expect(await keep()).toBeNull();
  await writeFile(join(source, 'icon.svg'), svgPicture('<script/>'));
  expect(await keep()).toBeNull();
  expect(log).toEqual(['warning: icon.svg has a script, so it is not shown.']);
  await expect(icons().installed('dance')).rejects.toThrow(NoIconToShow);
});

test('what an app writes in the place of its icon is judged like any icon', async () => {
  await writeFile(join(apps.environmentOf('dance'), 'app-icon'), svgPicture('<script/>'));
  await expect(icons().installed('dance')).rejects.toThrow(NoIconToShow);
});

test('a sample has the icon of its folder', async () => {
  await expect(icons().sample('wave')).rejects.toThrow(NoIconToShow);
  await writeFile(join(source, 'icon.svg'), svgPicture());
  expect(await icons().sample('wave')).toEqual({ type: 'image/svg+xml', bytes: Buffer.from(svgPicture()) });
});

test('an app that is not there has none', async () => {
  await expect(icons().installed('nobody')).rejects.toThrow(AppNotInstalled);
  await expect(icons().sample('nobody')).rejects.toThrow('There is no sample "nobody".');
});

test('the address of an icon is another one for each version, and null without an icon', async () => {
  expect(apps.get('dance').icon).toBeNull();
  await haveInstalled(apps, appNamed('dance', { icon: '0123456789abcdef' }));
  expect(apps.get('dance').icon).toBe('/api/apps/installed/dance/icon?version=0123456789abcdef');
});
