import { expect, test } from 'vitest';
import { choosePython, downloadsIn, nearestPython } from './app-pythons.ts';
import type { Python } from './python-finder.ts';

const python = (version: string): Python => ({
  executable: `/usr/bin/python${version}`,
  version,
  standardModules: new Set(),
});

interface Machine {
  readonly preferred?: string;
  readonly installed?: readonly string[];
  readonly current?: string;
  readonly downloads?: readonly string[];
}

/** The choice on a machine, and what was asked for it. */
async function choiceOn(machine: Machine, requiresPython: string | null) {
  const { preferred = '3.11.7', installed = [preferred], current, downloads = [] } = machine;
  const asked: string[] = [];
  const { chosen, ...rest } = await choosePython(requiresPython, {
    current: async () => (current === undefined ? null : python(current)),
    preferred: python(preferred),
    installed: async () => {
      asked.push('installed');
      return installed.map(python);
    },
    downloadable: async (range) => {
      asked.push('downloads');
      return nearestPython(downloads, range, preferred);
    },
  });
  return { chosen: chosen?.version ?? null, installed: rest.installed, download: rest.download, asked };
}

test.each<[string, string | null, Machine, string]>([
  ['no requirement', null, { installed: ['3.13.0', '3.11.7'] }, '3.11.7'],
  ['the preferred one suits', '>=3.10', { installed: ['3.13.0', '3.11.7'] }, '3.11.7'],
  ['a range that cannot be read', 'newer', { installed: ['3.13.0', '3.11.7'] }, '3.11.7'],
  ['an update keeps its Python', '>=3.10', { current: '3.12.1' }, '3.12.1'],
  ['an update keeps its Python, without a requirement', null, { current: '3.12.1' }, '3.12.1'],
])('%s: nothing is searched', async (_, range, machine, version) => {
  expect(await choiceOn(machine, range)).toEqual({
    ...{ chosen: version, installed: [version], download: null, asked: [] },
  });
});

test.each<[string, string, Machine, string]>([
  ['the newest that suits', '>=3.12', { installed: ['3.13.0', '3.12.1', '3.11.7'] }, '3.13.0'],
  ['within the range', '>=3.12,<3.13', { installed: ['3.13.0', '3.12.1', '3.11.7'] }, '3.12.1'],
  ['an older one', '<3.11', { installed: ['3.13.0', '3.11.7', '3.10.13'] }, '3.10.13'],
  ['an update whose Python no longer suits', '>=3.13', { current: '3.12.1', installed: ['3.13.0'] }, '3.13.0'],
])('%s is chosen', async (_, range, machine, version) => {
  expect(await choiceOn(machine, range)).toMatchObject({ chosen: version, download: null, asked: ['installed'] });
});

test('if none suits, the versions are named and the nearest download is offered', async () => {
  const machine = { installed: ['3.13.0', '3.10.13'], downloads: ['3.16.1', '3.15.2', '3.14.10', '3.14.9', '3.9.25'] };
  expect(await choiceOn(machine, '>=3.14')).toEqual({
    chosen: null,
    installed: ['3.13.0', '3.11.7', '3.10.13'],
    download: '3.14.10',
    asked: ['installed', 'downloads'],
  });
  expect(await choiceOn(machine, '<3.10')).toMatchObject({ chosen: null, download: null });
});

test.each<[string, string, string | null]>([
  ['>=3.12', '3.11.7', '3.12.16'],
  ['>=3.12,<3.12.3', '3.11.7', '3.12.2'],
  ['<3.13', '3.14.1', '3.12.16'],
  ['>=3.10,<3.11', '3.13.0', '3.10.22'],
  ['!=3.11.*', '3.11.7', '3.12.16'],
  ['>=3.17', '3.11.7', null],
  ['<3.10', '3.11.7', null],
])('for %s beside %s, %s is downloaded', (range, preferred, version) => {
  const versions = ['3.15.2', '3.14.10', '3.12.16', '3.12.2', '3.11.18', '3.10.22', '3.9.25'];
  expect(nearestPython(versions, range, preferred)).toBe(version);
});

test("the final releases of CPython are read from uv's list", () => {
  const lines = [
    'cpython-3.16.0a2-linux-x86_64-gnu                 <download available>',
    'cpython-3.15.2-linux-x86_64-gnu                   <download available>',
    'cpython-3.15.2+freethreaded-linux-x86_64-gnu      <download available>',
    'pypy-3.12.15-linux-x86_64-gnu                     <download available>',
    'warning: something',
    'cpython-3.12.16-windows-x86_64-none               <download available>',
  ];
  expect(downloadsIn(lines)).toEqual(['3.15.2', '3.12.16']);
});
