import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { areaOf, areas, isNoInput, kindOf, testFiles } from './areas.ts';

const files = execaSync('git', ['ls-files', '-z'], { cwd: projectDir }).stdout.split('\0').filter(Boolean);

test('every test file has an area', () => {
  expect(testFiles().length).toBeGreaterThan(500);
  expect(testFiles().filter((file) => areaOf(file) === undefined)).toEqual([]);
});

test('a file has an area, or is known to change no result, or is one of these, which change that of every area', () => {
  expect(files.length).toBeGreaterThan(2500);
  expect(files.filter((file) => areaOf(file) === undefined && !isNoInput(file)).sort()).toEqual([
    '.npmrc',
    'daemon/daemon-options.ts',
    'daemon/tsconfig.json',
    'package-lock.json',
    'package.json',
    'playwright.config.ts',
    'tsconfig.base.json',
    'tsconfig.json',
    'tsconfig.tools.json',
    'vite.config.ts',
    'vite.guard.config.ts',
    'vite.node.config.ts',
    'vite.runner.config.ts',
    'vitest.config.ts',
  ]);
});

test('every area has tests', () => {
  const tested = new Set(testFiles().map(areaOf));
  expect(Object.keys(areas).filter((area) => !tested.has(area))).toEqual([]);
});

test('every room of the map exists, once', () => {
  const rooms = Object.values(areas).flatMap((area) => area.rooms);
  expect(rooms.filter((room) => !files.some((file) => file.startsWith(room)))).toEqual([]);
  expect(new Set(rooms).size).toBe(rooms.length);
});

test.each([
  ['daemon/robot/lite/dynamixel.test.ts', 'robot', 'unit'],
  ['daemon/robot/sdk-threads.torture.test.ts', 'sdk', 'torture'],
  ['daemon/http/gateway/gateway.integration.test.ts', 'endpoints', 'integration'],
  ['daemon/endpoints/containers/variants.torture.test.ts', 'containers', 'torture'],
  ['daemon/killed-work.kills.test.ts', 'survival', 'torture'],
  ['renderer/App.test.tsx', 'journeys', 'renderer'],
  ['e2e/main-job.spec.ts', 'journeys', 'browser'],
  ['e2e/looks.spec.ts', 'looks', 'browser'],
  ['e2e/electron/window.spec.ts', 'journeys', 'window'],
  ['e2e/electron/endings.spec.ts', 'survival', 'window'],
  ['assets/python-sdk/tests/test_robot.py', 'sdk', 'python'],
])('%s belongs to %s and is of the kind %s', (file, area, kind) => {
  expect([areaOf(file), kindOf(file)]).toEqual([area, kind]);
});

test.each([
  ['assets/moves/dance1.json', 'robot'],
  ['assets/catalog/catalog-items.json', 'endpoints'],
  ['bin/robot-daemon.cjs', 'terminal'],
  ['electron-builder.yml', 'package'],
  ['vitest.config.ts', undefined],
])('%s belongs to %s', (file, area) => {
  expect(areaOf(file)).toBe(area);
});
