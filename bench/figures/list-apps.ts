import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppPointer, POINTER } from '../../daemon/apps/installed/app-pointer.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { type Figure, row } from '../harness/figure.ts';
import { keptConnections } from '../harness/kept-connections.ts';
import { bareExpress, startAnswering, temporaryDataDir } from '../harness/programs.ts';
import { inTurns } from '../harness/samples.ts';

const APPS = 200;
const MOST_MS = 5;

/** The time to list many apps. */
export const listApps: Figure = {
  name: 'list-apps',
  measures: `GET /api/apps/list with ${APPS} installed apps, to the last byte, on a connection that stays open`,
  beside: 'a bare Express server that sends the same bytes from memory, asked in the same way',
  measure: async ({ quick }) => {
    await using daemon = await startBenchDaemon([], (dataDir) => pretendInstalled(join(dataDir, 'apps')));
    await using folder = await temporaryDataDir();
    using connections = keptConnections();
    const listUrl = `${daemon.url}/api/apps/list`;
    const list = (await connections.ask(listUrl)).body;
    const listed = JSON.parse(list.toString()).length;
    if (listed !== APPS) throw new Error(`The daemon lists ${listed} apps.`);
    const file = join(folder.path, 'list.json');
    await writeFile(file, list);
    const bare = await bareExpress(file);
    await using _server = await startAnswering(bare);
    const taken = await inTurns(
      quick ? 2 : 1_000,
      async () => (await connections.ask(listUrl)).tookMs,
      async () => (await connections.ask(bare.url)).tookMs,
    );
    return [row('list-apps', 'ms', taken, () => ({ text: `p99 ≤ ${MOST_MS} ms`, mostAtP99: MOST_MS }))];
  },
};

/** Apps as they lie on the disk, each updated once; their environments are empty. */
async function pretendInstalled(appsDir: string): Promise<void> {
  for (let number = 1; number <= APPS; number++) {
    const env = randomBytes(6).toString('hex');
    const before = randomBytes(6).toString('hex');
    const folder = join(appsDir, `app-${number}`);
    for (const each of [env, before]) await mkdir(join(folder, 'envs', each), { recursive: true });
    const pointer: AppPointer = {
      app: appNumber(number, '2.0.0'),
      env,
      previous: { app: appNumber(number, '1.0.0'), env: before },
      pinned: false,
      onTrial: false,
      rolledBack: null,
    };
    await writeFile(join(folder, POINTER), JSON.stringify(pointer));
  }
}

function appNumber(number: number, version: string): AppPointer['app'] {
  return {
    name: `app_${number}`,
    distribution: `app-${number}`,
    version,
    module: `app_${number}.main`,
    className: 'App',
    title: `App ${number}`,
    description: 'Looks at whoever comes in, says hello, and plays a tune until it is stopped.',
    emoji: '👋',
    requiresPython: '>=3.10',
    dependencies: ['robot-sdk', 'numpy>=1.26', 'opencv-python>=4.9', 'openai>=1.40'],
    baseline: true,
    source: { kind: 'folder', path: `/home/somebody/apps/app_${number}` },
    settingsPage: { port: 8042 + number, path: '/' },
    installedAt: '2026-11-21T12:00:00.000Z',
    pythonVersion: '3.12.4',
  };
}
