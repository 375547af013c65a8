import { globSync } from 'node:fs';
import { projectDir } from '../environment/project.ts';

/** A part of the product whose tests `npm run torture` runs together. */
export interface Area {
  /** The paths of its rooms and files, or how they begin. Of two that fit a file, the longer one counts. */
  readonly rooms: readonly string[];
  /** The variables that set the length of its tests; those of the environment come first. */
  readonly lengths?: Readonly<Record<string, string>>;
  /** The tests that a good run skips, for which it says why; 0 without it. */
  readonly skips?: number;
}

/** The areas and their rooms. A file of no room counts for every area, or for none, see `isNoInput`. */
export const areas: Readonly<Record<string, Area>> = {
  install: {
    rooms: ['daemon/app-package', 'daemon/apps', 'daemon/jobs', 'assets/installer'],
    lengths: { TORTURE_BASELINE: '1' },
  },
  run: {
    rooms: ['daemon/apps/crash', 'daemon/apps/needs', 'daemon/apps/run', 'daemon/own-apps', 'daemon/shared/processes'],
    lengths: { TORTURE_BASELINE: '1' },
  },
  sdk: {
    rooms: ['assets/app-templates', 'assets/python-sdk', 'assets/sample-apps', 'daemon/robot/sdk'],
    lengths: { TORTURE_THREADS_S: '60', TORTURE_INTERRUPTS: '200' },
  },
  robot: {
    rooms: ['assets/emulator', 'assets/hardware', 'assets/moves', 'daemon/robot'],
    lengths: {
      TORTURE_POSES: '100000',
      TORTURE_ROBOTS: '2000',
      TORTURE_FUZZ: '1000',
      TORTURE_REPLUGS: '1000',
      TORTURE_LINES: '1',
    },
  },
  containers: {
    rooms: ['daemon/containers', 'daemon/endpoints/containers', 'daemon/testing/containers'],
    lengths: { TORTURE_CONTAINERS: '1' },
  },
  endpoints: {
    rooms: [
      'assets/catalog',
      'assets/runtimes',
      'daemon/catalog',
      'daemon/endpoints',
      'daemon/graphics-cards',
      'daemon/http/gateway',
      'daemon/llama-runner',
      'daemon/model-files',
    ],
    skips: 1,
  },
  publish: { rooms: ['daemon/assistant', 'daemon/hub'] },
  survival: {
    rooms: [
      'daemon/damaged-data-folder',
      'daemon/doctor',
      'daemon/earlier-data-folder',
      'daemon/full-disk',
      'daemon/guardian',
      'daemon/killed-work',
      'daemon/lifecycle',
      'daemon/read-only-disk',
      'daemon/shared',
      'daemon/testing/disks',
      'daemon/testing/kills',
      'e2e/electron/endings',
      'electron/guardian',
    ],
    lengths: { TORTURE_KILLS: '500', TORTURE_PAGES: '64', TORTURE_DAMAGES: '.', DESKTOP_ROUNDS: '150' },
    skips: 1, // the sample of damages, which are all tried
  },
  terminal: { rooms: ['bin/', 'daemon/cli', 'daemon/testing/terminal'] },
  api: {
    rooms: [
      'daemon/access',
      'daemon/client',
      'daemon/contract',
      'daemon/create-',
      'daemon/http',
      'daemon/notifications',
      'daemon/testing/daemon',
    ],
    lengths: { TORTURE_CASES: '20000' },
  },
  doubles: { rooms: ['daemon/testing'], skips: 1 },
  package: {
    rooms: [
      '.github',
      'assets/icons',
      'bench',
      'biome.json',
      'electron-builder.yml',
      'knip.json',
      'oxlint.config.ts',
      'scripts',
    ],
    skips: 1,
  },
  journeys: { rooms: ['e2e', 'electron', 'renderer'] },
  looks: { rooms: ['e2e/looks'], lengths: { LOOKS_ALL: '1' } },
};

/** The rooms of the map, the longest first, each with its area. */
const rooms = Object.entries(areas)
  .flatMap(([area, { rooms }]) => rooms.map((room) => ({ room, area })))
  .sort((a, b) => b.room.length - a.room.length);

/** @param path relative to the project, with slashes  @returns the name of its area, or undefined where the map has none */
export function areaOf(path: string): string | undefined {
  return rooms.find(({ room }) => path.startsWith(room))?.area;
}

/** Files on which no test's result depends, or how their paths begin. `npm run check` reads those that are made from others. */
const noInputs = [
  '.ci/',
  '.gitignore',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'docs/',
];

/** @param path as of `areaOf` */
export function isNoInput(path: string): boolean {
  return noInputs.some((start) => path.startsWith(start));
}

/** The kinds of test files, by the program that runs them and by what they need. */
export type TestKind = 'unit' | 'renderer' | 'integration' | 'torture' | 'browser' | 'window' | 'python';

/** @param path of a test file, as `testFiles` returns it */
export function kindOf(path: string): TestKind {
  if (path.endsWith('.py')) return 'python';
  if (path.endsWith('.spec.ts')) return path.startsWith('e2e/electron/') ? 'window' : 'browser';
  if (path.startsWith('renderer/')) return 'renderer';
  if (path.endsWith('.integration.test.ts')) return 'integration';
  return /\.(torture|kills)\.test\.ts$/.test(path) ? 'torture' : 'unit';
}

/** All test files of the project, relative to it and with slashes, in the order of their paths. */
export function testFiles(): string[] {
  const patterns = [
    '{bench,daemon,electron,renderer,scripts}/**/*.test.{ts,tsx}',
    'e2e/**/*.spec.ts',
    'assets/{installer,python-sdk}/tests/**/test_*.py',
    'assets/app-templates/**/test_*.py',
  ];
  const found = globSync(patterns, { cwd: projectDir, exclude: ['**/node_modules/**'] });
  return found.map((path) => path.replaceAll('\\', '/')).sort();
}
