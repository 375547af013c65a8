import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { install } from '../../client/node/install.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppVariable, InstalledApp } from '../../contract/apps/apps.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon/daemon-process.ts';
import { fixtureApp, newDataDir, sampleApp, tracesIn } from '../daemon/test-daemon.ts';

const APP = 'polite';
const BYSTANDER = 'hello_wave';
/** The app's contents while it is present: its variables, and the text of its file. */
export const everything = {
  variables: [
    { name: 'PLAIN', value: 'value', secret: false },
    { name: 'SECRET', value: null, secret: true },
  ],
  ownFile: 'what the app has written',
} as const;
/** Its contents after a reset. */
export const nothing = { variables: [], ownFile: null } as const;
/** The number of newest runs in an observation. */
export const RUNS = 20;

/** The state that a kill of the daemon must not break, as reported by the next daemon. */
export type Observation = Awaited<ReturnType<AppOnKilledDaemon['observe']>>;

/**
 * The app `polite`, in versions that print their version, on a daemon in its own process that is killed and started
 * again; and a second app that must stay untouched.
 */
export class AppOnKilledDaemon {
  readonly dataDir: string;
  /** The newest version of the app. */
  version = 0;
  readonly #source: string;
  #daemon: DaemonProcess;
  #client: DaemonClient;

  static async begin(): Promise<AppOnKilledDaemon> {
    const dataDir = await newDataDir();
    const source = join(await mkdtemp(join(tmpdir(), 'robot-desktop-apps-')), APP);
    await cp(fixtureApp(APP), source, { recursive: true });
    const started = new AppOnKilledDaemon(dataDir, source, await startAsleep(dataDir));
    await started.#installFrom(sampleApp(BYSTANDER));
    await started.#setVariable(BYSTANDER, 'GREETING', 'hello', false);
    return started;
  }

  private constructor(dataDir: string, source: string, daemon: DaemonProcess) {
    this.dataDir = dataDir;
    this.#source = source;
    this.#daemon = daemon;
    this.#client = daemonAt(daemon.url, { deadlineMs: null });
  }

  async end(): Promise<void> {
    await this.#daemon.kill();
    await rm(this.dataDir, { recursive: true, force: true });
    await rm(dirname(this.#source), { recursive: true, force: true });
  }

  /** Kills the daemon. @returns the processes that it leaves running */
  async kill(): Promise<number[]> {
    await this.#daemon.kill();
    return this.#daemon.children();
  }

  /** Starts the next daemon. @returns the orphans that still run */
  async next(orphans: readonly number[]): Promise<number[]> {
    this.#daemon = await startAsleep(this.dataDir);
    this.#client = daemonAt(this.#daemon.url, { deadlineMs: null });
    return (await this.#daemon.children()).filter((pid) => orphans.includes(pid));
  }

  /** Ensures that the app is installed and not running, with variables, a file and as the startup app. */
  async present(): Promise<InstalledApp> {
    await this.#stopIfRunning();
    if (!(await this.#find(APP))) await this.install();
    const app = await this.#client.call('getApp', { params: { appName: APP } });
    if (app.reset) await this.undoReset();
    // An install alone, as that of a scene, has none of them.
    if ((await this.#variables(APP)).length === 0) {
      await this.#setVariable(APP, 'PLAIN', 'value', false);
      await this.#setVariable(APP, 'SECRET', 'never told', true);
      await this.#client.call('setStartupApp', { body: { startupApp: APP } });
      await mkdir(dirname(this.#ownFile), { recursive: true });
      await writeFile(this.#ownFile, everything.ownFile);
    }
    return { ...app, reset: null };
  }

  async absent(): Promise<void> {
    if (await this.#find(APP)) await this.remove();
    await this.diskIsFreed();
  }

  async running(): Promise<void> {
    await this.present();
    await this.start();
  }

  /** Installs a new version, or updates to it. */
  async install(): Promise<void> {
    this.version += 1;
    await this.#edit('pyproject.toml', /^version = .*$/m, `version = "${this.version}.0"`);
    const printLine = `        print("version ${this.version}.0", flush=True)\n`;
    await this.#edit(join(APP, 'main.py'), /( {4}def run\(.*\n)( +print\("version.*\n)?/, `$1${printLine}`);
    await this.#installFrom(this.#source);
  }

  async rollBack(): Promise<void> {
    await this.#client.call('rollBackApp', { params: { appName: APP } });
  }

  async reset(): Promise<void> {
    await this.#client.call('resetApp', { params: { appName: APP } });
  }

  async undoReset(): Promise<void> {
    await this.#client.call('undoAppReset', { params: { appName: APP }, query: { replace: true } });
  }

  async remove(): Promise<void> {
    await this.#client.call('removeApp', { params: { appName: APP } });
  }

  async start(): Promise<void> {
    await this.#client.call('startApp', { params: { appName: APP } });
    await this.#isUp();
  }

  async restart(): Promise<void> {
    await this.#client.call('restartCurrentApp');
    await this.#isUp();
  }

  async stop(): Promise<AppSlotState> {
    return this.#client.call('stopCurrentApp');
  }

  async observe() {
    const [found, bystander, slot, runs, jobs, { startupApp }] = await Promise.all([
      this.#find(APP),
      this.#find(BYSTANDER),
      this.#client.call('getAppSlot'),
      this.#client.call('listRuns', { query: { limit: RUNS } }),
      this.#client.call('listJobs'),
      this.#client.call('getStartupApp'),
    ]);
    return {
      // A run between two observations ends the trial of an update.
      app: found && { ...found, onTrial: false },
      variables: found && (await this.#variables(APP)),
      ownFile: await readFile(this.#ownFile, 'utf8').catch(() => null),
      bystander,
      bystandersVariables: bystander && (await this.#variables(BYSTANDER)),
      startupApp,
      slot,
      runs,
      jobs,
    };
  }

  /** The version that the running app printed in its first line. */
  async printedVersion(): Promise<string> {
    return vi.waitFor(async () => {
      const { lines } = await this.#client.call('getAppOutput');
      const version = /^version (.*)$/.exec(lines[0]?.text ?? '')?.[1];
      if (version === undefined) throw new Error(`It says ${JSON.stringify(lines)}.`);
      return version;
    });
  }

  /** The folders of apps and their environments. */
  traces(): Promise<string[]> {
    return tracesIn(this.dataDir);
  }

  /** Waits until the disk is freed, which continues after a removal. */
  async diskIsFreed(): Promise<void> {
    await vi.waitFor(async () => {
      const discarded = (await readdir(this.dataDir)).filter((name) => name.includes('.discarded-'));
      const work = await readdir(join(this.dataDir, 'work')).catch(() => []);
      expect([...discarded, ...work]).toEqual([]);
    });
  }

  get #ownFile(): string {
    return join(this.dataDir, 'apps', APP, 'files', 'own.txt');
  }

  async #isUp(): Promise<void> {
    await vi.waitFor(async () => expect(await this.#client.call('getAppSlot')).toMatchObject({ sdk: 'connected' }));
  }

  async #stopIfRunning(): Promise<void> {
    if ((await this.#client.call('getAppSlot')).state !== 'free') await this.stop();
  }

  async #find(name: string): Promise<InstalledApp | null> {
    return (await this.#client.call('listApps')).find((app) => app.name === name) ?? null;
  }

  async #variables(name: string): Promise<AppVariable[]> {
    return this.#client.call('listAppVariables', { params: { appName: name } });
  }

  async #setVariable(app: string, name: string, value: string, secret: boolean): Promise<void> {
    await this.#client.call('setAppVariable', { params: { appName: app, variable: name }, body: { value, secret } });
  }

  async #installFrom(url: string): Promise<void> {
    expect(await install(this.#client, url)).toMatchObject({ state: 'done', failure: null }); // shows the failure
  }

  async #edit(file: string, what: RegExp, by: string): Promise<void> {
    const path = join(this.#source, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(what, by));
  }
}

/** Starts with the robot asleep: waking it would start the startup app. */
function startAsleep(dataDir: string): Promise<DaemonProcess> {
  return startDaemonProcess(dataDir, ['--no-wake-up-on-start']);
}
