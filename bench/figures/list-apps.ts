import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppPointer, POINTER } from '../../daemon/apps/installed/app-pointer.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { type Figure, row } from '../harness/figure.ts';
import { keepAliveClient } from '../harness/keep-alive-client.ts';
import { bareExpress, startAndWait, temporaryDataDir } from '../harness/programs.ts';
import { alternate } from '../harness/samples.ts';

const APPS = 200;
const MOST_MS = 5;

/** The time to list many apps. */
export const listApps: Figure = {
  name: 'list-apps',
  measures: `GET /api/apps/list with ${APPS} installed apps, to the last byte, on a keep-alive connection`,
  beside: 'a bare Express server that sends the same bytes from memory, requested in the same way',
  measure: async ({ quick }) => {
    await using daemon = await startBenchDaemon([], (dataDir) => writeInstalledApps(join(dataDir, 'apps'), APPS));
    await using folder = await temporaryDataDir();
    using client = keepAliveClient();
    const listUrl = `${daemon.url}/api/apps/list`;
    const list = (await client.get(listUrl)).body;
    const listed = JSON.parse(list.toString()).length;
    if (listed !== APPS) throw new Error(`The daemon lists ${listed} apps.`);
    const file = join(folder.path, 'list.json');
    await writeFile(file, list);
    const bare = await bareExpress(file);
    await using _server = await startAndWait(bare);
    const taken = await alternate(
      quick ? 2 : 1_000,
      async () => (await client.get(listUrl)).tookMs,
      async () => (await client.get(bare.url)).tookMs,
    );
    return [row('list-apps', 'ms', taken, () => ({ text: `p99 ≤ ${MOST_MS} ms`, mostAtP99: MOST_MS }))];
  },
};

/** Writes apps as the daemon stores them, each updated once, with empty environments. */
export async function writeInstalledApps(appsDir: string, apps: number): Promise<void> {
  for (let number = 1; number <= apps; number++) {
    const env = randomBytes(6).toString('hex');
    const before = randomBytes(6).toString('hex');
    const folder = join(appsDir, `app-${number}`);
    for (const environment of [env, before]) await mkdir(join(folder, 'envs', environment), { recursive: true });
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
    needs: [],
    icon: null,
    source: { kind: 'folder', path: `/home/somebody/apps/app_${number}` },
    settingsPage: { port: 8042 + number, path: '/' },
    installedAt: '2026-11-21T12:00:00.000Z',
    pythonVersion: '3.12.4',
  };
}
