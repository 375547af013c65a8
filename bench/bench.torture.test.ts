import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { projectDir } from '../daemon/testing/daemon/test-daemon.ts';
import { uvIsHere } from '../daemon/testing/python/uv.ts';
import type { FigureReport } from './harness/rows.ts';

const bench = (...args: string[]) => execa(process.execPath, [join(projectDir, 'bench', 'bench.ts'), ...args]);

const number = expect.any(Number);
const summary = (samples: number) => ({ median: number, p99: number, samples });

test('the bench measures the named figures, and writes a report that describes the machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-bench-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const json = join(folder, 'bench.json');
  const { stdout } = await bench('--quick', '--json', json, 'dashboard-size', 'list-apps', 'install');
  expect(stdout).toMatch(/^list-apps +\d/m);
  const figure = { measures: expect.any(String), state: 'measured', reason: null, tookS: number };
  const { figures, ...report } = JSON.parse(await readFile(json, 'utf8'));
  expect(report).toEqual({
    takenAt: expect.any(String),
    quick: true,
    machine: expect.objectContaining({ cores: number, node: process.versions.node }),
  });
  const [install, ...others] = figures;
  expect(others).toEqual([
    {
      ...figure,
      name: 'list-apps',
      beside: expect.any(String),
      rows: [
        {
          label: 'list-apps',
          unit: 'ms',
          ours: summary(2),
          beside: summary(2),
          aim: { text: 'p99 ≤ 5 ms', mostAtP99: 5 },
          met: expect.any(Boolean),
        },
      ],
    },
    {
      ...figure,
      name: 'dashboard-size',
      beside: null,
      rows: [
        { label: 'dashboard-size, JavaScript', unit: 'kB', ours: summary(1), beside: null, aim: null, met: null },
        { label: 'dashboard-size, CSS', unit: 'kB', ours: summary(1), beside: null, aim: null, met: null },
        {
          label: 'dashboard-size, both',
          unit: 'kB',
          ours: summary(1),
          beside: null,
          aim: { text: '≤ 180 kB', most: 180 },
          met: expect.any(Boolean),
        },
      ],
    },
  ]);
  // Without uv, the figure is reported as skipped.
  const { name, state, rows }: FigureReport = install;
  expect([name, state, rows.map(({ ours }) => ours)]).toEqual(
    (await uvIsHere()) ? ['install', 'measured', [summary(2)]] : ['install', 'skipped', []],
  );
}, 120_000);

test('the bench refuses an unknown figure, and lists the known ones', async () => {
  const refused = await bench('speed').catch((error: unknown) => error);
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^There is no figure "speed"\.\nFigures: cold-start, start, start-with-endpoint, stop, /,
    ),
  });
});
