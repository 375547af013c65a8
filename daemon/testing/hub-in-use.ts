import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubError } from '../hub/errors.ts';
import type { HubApp } from '../hub/hub-app.ts';
import { HubClient } from '../hub/hub-client.ts';
import type { HubTimeouts } from '../hub/hub-fetch.ts';
import type { HubFile } from '../hub/repository-files.ts';
import { createLogger } from '../shared/logger.ts';
import { type FakeHub, type FileContent, startFakeHub } from './fake-hub.ts';
import { type MovableClock, movableClock } from './movable-clock.ts';

export const TAG = 'robot_python_app';
export const TOKEN = 'hf_of_ada';
/** A signal that nobody aborts. */
export const never: AbortSignal = new AbortController().signal;
/** The Space that the hub has. */
export const dance = { type: 'space', id: 'ada/dance' } as const;
export const readme = (title: string) =>
  `---\ntitle: ${title}\nemoji: 💃\nshort_description: Moves.\ntags:\n  - ${TAG}\n---\n# ${title}\n`;
export const large = Buffer.alloc(3_000_000, 'large');
export const danceFiles = {
  'README.md': readme('Dance'),
  'pyproject.toml': '[project]\nname = "dance"\n',
  'dance/__init__.py': '',
  'dance/main.py': 'print("ünïcode")\n',
  'dance/a name with # and ?.txt': 'odd',
  'dance/model.bin': { lfs: large },
} as const satisfies Readonly<Record<string, FileContent>>;

/** A hub with one Space, its clients, and a folder for downloads. */
export interface HubInUse extends AsyncDisposable {
  readonly hub: FakeHub;
  /** Of the hub and its clients. */
  readonly clock: MovableClock;
  /** The newest commit of the Space. */
  readonly commit: string;
  readonly folder: string;
  /** The tokens that the hub has refused. */
  readonly refused: readonly string[];
  client(timeouts?: Partial<HubTimeouts>, token?: string | null, hubUrl?: string | null): HubClient;
  /** Downloads files of the Space, by default all. @returns their bytes */
  download(from: HubClient, files?: readonly HubFile[]): Promise<number>;
  /** The names of the files in the folder. */
  savedFiles(): Promise<string[]>;
}

export async function startHubInUse(): Promise<HubInUse> {
  const clock = movableClock();
  const hub = await startFakeHub(clock);
  const { sha: commit } = await hub.addSpace({ id: dance.id, files: danceFiles, likes: 7 });
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-download-'));
  const refused: string[] = [];
  return {
    ...{ hub, clock, commit, folder, refused },
    client: (timeouts = {}, token = null, hubUrl = hub.url) =>
      new HubClient({
        hubUrl,
        token: async () => token,
        onTokenRefused: (which) => refused.push(which),
        clock,
        log: createLogger('error'),
        timeouts: { answerMs: 20_000, stallMs: 10_000, retryMs: 20, retriesMs: 1_500, ...timeouts },
      }),
    download: async (from, files) => {
      let bytes = 0;
      const wanted = files ?? (await from.files(dance, commit, never));
      const onBytes = (more: number) => {
        bytes += more;
      };
      await from.download(dance, commit, wanted, folder, { signal: never, onBytes });
      return bytes;
    },
    savedFiles: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The kind of a request's failure, which tells a person what happened and what to do; `none`: it did not fail. */
export async function errorKindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return 'none';
  if (!(error instanceof HubError)) throw error;
  for (const text of [error.message, error.action]) {
    if (!text.endsWith('.')) throw new Error(`not a sentence: ${text}`);
  }
  return error.kind;
}

/** The list of apps. */
export async function listed(from: HubClient): Promise<HubApp[]> {
  const apps: HubApp[] = [];
  for await (const app of from.listApps(TAG, never)) apps.push(app);
  return apps;
}
