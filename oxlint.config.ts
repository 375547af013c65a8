import { posix } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** Packages that only some zones may import. */
const packages = {
  http: '^express$|^ws$|^node:https?$',
  page: '^react|^zustand|^@mantine|^icon:',
  electron: '^electron$',
};

/** A folder and all that lies in it, except the zones inside it. */
interface Zone {
  readonly folder: string;
  /** The other zones that it may import. */
  readonly imports: readonly string[];
  /** More zones, of which it may import types only. */
  readonly types?: readonly string[];
  /** Restricted packages that it may import. */
  readonly packages?: readonly (keyof typeof packages)[];
  /** Its only packages; Node's own modules count as packages. */
  readonly only?: readonly string[];
}

const ground = ['daemon/contract', 'daemon/shared'];
const clients = ['daemon/client', 'daemon/client/node'];
const aroundApps = ['daemon/app-package', 'daemon/hub', 'daemon/jobs', 'daemon/robot'];
const domain = [
  ...ground,
  ...aroundApps,
  'daemon/access',
  'daemon/apps',
  'daemon/assistant',
  'daemon/own-apps',
  'daemon/catalog',
  'daemon/containers',
  'daemon/model-files',
  'daemon/endpoints',
  'daemon/graphics-cards',
  'daemon/guardian',
  'daemon/notifications',
];
const pageGround = ['daemon/client', 'daemon/contract', 'renderer/api'];
const page = ['renderer/navigation', 'renderer/parts', 'renderer/slices', 'renderer/store'];

/** The imports that each zone allows, inner zones after outer ones. CONTRIBUTING.md draws it. */
const zones: readonly Zone[] = [
  { folder: 'daemon', imports: [...domain, 'daemon/doctor', 'daemon/http', 'daemon/lifecycle'], packages: ['http'] },
  { folder: 'daemon/contract', imports: [], only: ['zod'] },
  { folder: 'daemon/client', imports: [], types: ['daemon/contract'], only: ['eventsource-parser/stream'] },
  { folder: 'daemon/client/node', imports: ['daemon/client', 'daemon/contract'] },
  { folder: 'daemon/shared', imports: ['daemon/contract'] },
  { folder: 'daemon/robot', imports: ground },
  { folder: 'daemon/jobs', imports: ground },
  { folder: 'daemon/app-package', imports: ground },
  { folder: 'daemon/hub', imports: ground },
  { folder: 'daemon/access', imports: ground },
  { folder: 'daemon/catalog', imports: ground },
  { folder: 'daemon/containers', imports: ground, packages: ['http'] },
  { folder: 'daemon/notifications', imports: ground },
  { folder: 'daemon/model-files', imports: [...ground, 'daemon/hub'] },
  // It knows the one argument that makes the program list the cards.
  { folder: 'daemon/graphics-cards', imports: ground, types: ['daemon/llama-runner'] },
  {
    folder: 'daemon/endpoints',
    imports: [
      ...ground,
      ...[
        'daemon/catalog',
        'daemon/containers',
        'daemon/graphics-cards',
        'daemon/hub',
        'daemon/jobs',
        'daemon/model-files',
      ],
    ],
    types: ['daemon/llama-runner'], // the options that it starts the program with
  },
  // A program of its own, which an endpoint's replica runs.
  { folder: 'daemon/llama-runner', imports: [], packages: ['http'] },
  { folder: 'daemon/apps', imports: [...ground, ...aroundApps] },
  // Creates, checks and publishes apps, for the daemon and for the command robot-app-assistant.
  { folder: 'daemon/assistant', imports: [...ground, ...aroundApps, 'daemon/apps'] },
  { folder: 'daemon/own-apps', imports: [...ground, ...aroundApps, 'daemon/apps', 'daemon/assistant'] },
  // A program of its own, beside the daemon of a window.
  { folder: 'daemon/guardian', imports: [...ground, 'daemon/robot'] },
  { folder: 'daemon/lifecycle', imports: domain },
  { folder: 'daemon/doctor', imports: [...domain, ...clients] },
  { folder: 'daemon/http', imports: [...domain, ...clients], types: ['daemon/doctor'], packages: ['http'] },
  { folder: 'daemon/cli', imports: [...domain, ...clients, 'daemon', 'daemon/doctor', 'daemon/lifecycle'] },
  { folder: 'electron', imports: [...ground, ...clients, 'daemon', 'daemon/cli', 'daemon/guardian', 'daemon/http'] },
  {
    folder: 'renderer',
    imports: [...pageGround, ...page, 'renderer/features', 'renderer/theme'],
    packages: ['page'],
  },
  { folder: 'renderer/api', imports: ['daemon/client', 'daemon/contract'] },
  { folder: 'renderer/navigation', imports: ['daemon/contract'], packages: ['page'] },
  { folder: 'renderer/slices', imports: [...pageGround, 'renderer/navigation'] },
  { folder: 'renderer/store', imports: [...pageGround, 'renderer/slices'], packages: ['page'] },
  {
    folder: 'renderer/parts',
    imports: [...pageGround, 'renderer/navigation', 'renderer/slices', 'renderer/store'],
    packages: ['page'],
  },
  {
    folder: 'renderer/features',
    imports: [...pageGround, ...page],
    packages: ['page'],
  },
  { folder: 'renderer/theme', imports: [], packages: ['page'] },
  {
    folder: 'e2e/electron-standin',
    imports: [],
    only: ['node:*', 'node:*/*', 'electron', '@playwright/test'],
    packages: ['http', 'electron'],
  },
];

/** Development only: they may import everything, and no zone imports them. */
const tools = ['daemon/testing', 'electron/testing', 'renderer/testing', 'scripts', 'bench', 'e2e'];
/** Tests may import all but what starts a daemon: they go through daemon/testing. */
const composition = ['daemon', 'daemon/cli', 'daemon/lifecycle'];

const folders = zones.map(({ folder }) => folder);
/** The levels of folders in a zone that the rules reach, its own included. */
const levels = 4;

type Patterns = { regex?: string; group?: string[]; message: string; allowTypeImports?: boolean }[];

/** A rule sees an import as it is written, relative to its file: each depth below a zone's folder needs its own override. */
function overridesOf(zone: Zone): OxlintOverride[] {
  return Array.from({ length: levels }, (_, depth) => {
    const files = posix.join(zone.folder, '*/'.repeat(depth), '*');
    const directory = posix.join(zone.folder, 'x/'.repeat(depth));
    return [
      forbid([`${files}.{ts,tsx}`], forbiddenToSources(zone, directory)),
      forbid([`${files}.test.{ts,tsx}`], forbiddenToTests(zone, directory)),
    ];
  }).flat();
}

function forbiddenToSources(zone: Zone, directory: string): Patterns {
  const { folder, imports, types = [], only } = zone;
  const allowed = [...imports, ...types.map((type) => `types of ${type}`)].join(', ') || 'nothing else';
  return [
    ...[...folders, ...tools]
      .filter((other) => other !== folder && !imports.includes(other))
      .map((other) => ({
        regex: pathTo(other, directory),
        allowTypeImports: types.includes(other),
        message: `${folder} imports ${allowed} of this project`,
      })),
    ...forbiddenPackages(zone),
    ...(only
      ? [
          {
            group: ['*', '!./**', '!../**', ...only.map((name) => `!${name}`)],
            allowTypeImports: types.length > 0,
            message: `${folder} imports ${only.join(', ') || 'no package'} only`,
          },
        ]
      : []),
  ];
}

function forbiddenPackages({ folder, packages: allowed = [] }: Zone): Patterns {
  return Object.entries(packages)
    .filter(([name]) => !allowed.some((group) => group === name))
    .map(([name, regex]) => ({
      regex,
      allowTypeImports: folder === 'electron',
      message: `${folder} imports no ${name} package`,
    }));
}

function forbiddenToTests(zone: Zone, directory: string): Patterns {
  return [
    ...composition
      .filter((other) => other !== zone.folder && !zone.imports.includes(other))
      .map((other) => ({
        regex: pathTo(other, directory),
        allowTypeImports: other === 'daemon', // the daemon's options,
        message: 'a test starts a daemon through daemon/testing',
      })),
    {
      regex: packages.electron,
      allowTypeImports: zone.folder === 'electron',
      message: 'a test imports no electron package',
    },
  ];
}

/** Matches the relative specifiers that lead from the files in one folder to those of a zone. */
function pathTo(zone: string, directory: string): string {
  const path = posix.relative(directory, zone);
  const hasInnerZones = folders.some((folder) => folder.startsWith(`${zone}/`));
  return `^${path.startsWith('.') ? path : `./${path}`}/${hasInnerZones ? '[^/]+$' : ''}`.replaceAll('.', '\\.');
}

function forbid(files: string[], patterns: Patterns): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

const desktop = zones.find(({ folder }) => folder === 'electron') as Zone;

export default defineConfig({
  plugins: ['import', 'typescript'],
  categories: { correctness: 'error' },
  ignorePatterns: ['**/node_modules/**', 'dist/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
  },
  overrides: [
    ...zones.flatMap(overridesOf),
    forbid(['electron/main.ts'], forbiddenToSources({ ...desktop, packages: ['electron'] }, 'electron')),
    {
      files: tools.map((folder) => `${folder}/**`),
      excludeFiles: ['e2e/electron-standin/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
  ],
});
