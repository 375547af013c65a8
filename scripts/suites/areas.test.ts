import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { areaOf, areas, kindOf, testFiles } from './areas.ts';

const sourceFiles = globSync('{bench,daemon,e2e,electron,renderer,scripts}/**/*.{ts,tsx,mjs}', {
  cwd: projectDir,
  exclude: ['**/node_modules/**'],
}).map((path) => path.replaceAll('\\', '/'));

test('every test file has an area', () => {
  expect(testFiles().length).toBeGreaterThan(500);
  expect(testFiles().filter((file) => areaOf(file) === undefined)).toEqual([]);
});

test('every room has an area', () => {
  const inRooms = sourceFiles.filter((file) => dirname(file) !== 'daemon'); // the composition root is no room
  expect(inRooms.length).toBeGreaterThan(1000);
  expect(inRooms.filter((file) => areaOf(file) === undefined)).toEqual([]);
});

test('every area has tests', () => {
  const tested = new Set(testFiles().map(areaOf));
  expect(Object.keys(areas).filter((area) => !tested.has(area))).toEqual([]);
});

test('every room of the map exists, once', () => {
  const files = [...sourceFiles, ...testFiles()];
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

test('a file of no room has no area', () => {
  expect(areaOf('vitest.config.ts')).toBeUndefined();
});
