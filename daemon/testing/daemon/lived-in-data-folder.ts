import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type * as z from 'zod';
import { accessTokenIn } from '../../access/access-token-file.ts';
import { writeSignInCode } from '../../access/sign-in-codes.ts';
import { writeAssignments } from '../../apps/needs/app-needs.ts';
import { writeInstalled } from '../../endpoints/llamacpp/llama-server-program.ts';
import type { StoredMemory } from '../../endpoints/measured-memory/memory-records.ts';
import type { MemorySettings } from '../../endpoints/measured-memory/memory-settings.ts';
import type { StoredSpeeds } from '../../endpoints/speed-records.ts';
import { withNews } from '../../notifications/news/notice-list.ts';
import { systemClock } from '../../shared/clock.ts';
import { dataPaths } from '../../shared/files/data-paths.ts';
import { writeJsonFile } from '../../shared/files/json-file.ts';
import { startFakeHub } from '../fake-hub.ts';
import { modelFilesIn } from '../models/model-files-in.ts';
import { tinyGguf } from '../models/tiny-gguf.ts';
import { someNews } from '../some-news.ts';
import { newDataDir, projectDir, sampleApp, startTestDaemon, type TestDaemon } from './test-daemon.ts';

const APP = 'hello_wave';
const settings: MemorySettings = {
  ...{ repository: 'ada/Tiny-GGUF', revision: null, engine: 'llamacpp', file: 'tiny-q4.gguf' },
  ...{ contextTokens: 4096, others: null },
};

/**
 * Creates a data folder that has been used: the records of an earlier version, and what this daemon writes beside them. An
 * app is installed and updated, pinned, the startup app, has variables and an assigned endpoint, and has run; a model is downloaded.
 * @param shared the parts that it shares with the data folders of other tests
 */
export async function livedInDataDir(shared: readonly ('tools' | 'cache')[] = ['tools', 'cache']): Promise<string> {
  const dataDir = await newDataDir(shared);
  const earlier = join(projectDir, 'daemon', 'testing', 'data-folders', '0.1.0');
  await cp(earlier, dataDir, { recursive: true, filter: (path) => path !== join(earlier, 'apps') });
  const paths = dataPaths(dataDir);
  await downloadModel(paths.models);
  await mkdir(paths.runtimes);
  await writeInstalled(paths.runtimes, { version: 'b1', program: 'b1/llama-server', sha256: 'none' });
  await accessTokenIn(systemClock, paths.accessTokenFile, { warn: () => {} });
  await mkdir(paths.sockets);
  await writeJsonFile(paths.notificationsFile, { notices: withNews([], someNews(), 'a-notice') });
  const memory: z.infer<typeof StoredMemory> = { records: [{ settings, peakBytes: 5e9, isProven: true }] };
  await writeJsonFile(paths.measuredMemoryFile, memory);
  const { repository, revision, engine, file } = settings;
  const speed = { tokensPerSecond: 41, measuredAt: '2026-11-29T10:00:00.000Z', program: null, card: null };
  const recipe = { repository, revision, engine, file, accelerator: 'cpu' };
  const speeds: z.infer<typeof StoredSpeeds> = { records: [{ ...recipe, speed }] };
  await writeJsonFile(paths.measuredSpeedFile, speeds);
  await using daemon = await startTestDaemon({ dataDir });
  await fetch(daemon.newSignInUrl(), { redirect: 'manual' });
  await writeSignInCode(paths.signInCodeFile, new Date());
  for (let version = 1; version <= 2; version += 1) {
    expect(await daemon.install(sampleApp(APP))).toMatchObject({ state: 'done' });
  }
  const params = { appName: APP };
  for (const [variable, secret] of [['GREETING', false] as const, ['API_KEY', true] as const]) {
    await daemon.call('setAppVariable', { params: { ...params, variable }, body: { value: `my ${variable}`, secret } });
  }
  await daemon.call('startApp', { params });
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ sdk: 'connected' }));
  await daemon.call('stopCurrentApp');
  await daemon.call('pinApp', { params, body: { pinned: true } });
  await setUpMail(daemon);
  await daemon.call('setStartupApp', { body: { startupApp: APP } });
  await daemon.call('addOwnApp', { body: { folder: sampleApp(APP) } });
  await writeFile(join(paths.apps, 'hello-wave', 'files', 'mine.txt'), 'written by the app');
  await writeAssignments(join(paths.apps, 'hello-wave'), new Map([['chat', { namespace: 'lab', name: 'small' }]]));
  return dataDir;
}

/** Sets up a mail server that does not answer. */
async function setUpMail(daemon: TestDaemon): Promise<void> {
  const { name, value } = daemon.newSessionCookie();
  const server = { host: '127.0.0.1', port: 9, security: 'none', user: 'ada', password: 'of the mail server' };
  const set = await fetch(`${daemon.url}/api/mail`, {
    method: 'PUT',
    headers: { cookie: `${name}=${value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...server, from: 'robot@example.org', to: 'ada@example.org' }),
  });
  expect(set.status).toBe(200);
}

async function downloadModel(folder: string): Promise<void> {
  await using hub = await startFakeHub();
  await hub.addModel({ id: 'ada/tiny', files: { 'tiny.gguf': { lfs: tinyGguf() } } });
  const wanted = { repository: 'ada/tiny', revision: null, model: 'tiny.gguf', mmproj: null, draft: null };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  await modelFilesIn(folder, hub.url).ensure(wanted, options);
}
