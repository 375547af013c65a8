/** The desktop program over a fake Electron and a fake daemon. */
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Daemon } from '../../daemon/create-daemon.ts';
import { EventBus } from '../../daemon/shared/async/event-bus.ts';
import type { DesktopHost } from '../../daemon/shared/desktop-host.ts';
import { manualClock } from '../../daemon/testing/manual-clock.ts';
import { DesktopApp, type DesktopAppDeps } from '../desktop-app.ts';
import { FakeEvents } from './fake-events.ts';
import { FakeHost, type FakeWindow } from './fake-host.ts';
import { FakeLoginItem } from './fake-login-item.ts';

export const URL = 'http://127.0.0.1:8000';

class FakeProcess extends EventEmitter {}

export class FakeDaemon implements Daemon {
  url = '';
  readonly storageProblem = null;
  accessToken: string | null = null;
  readonly server = null as never;
  readonly stopAsked = Promise.withResolvers<void>();
  readonly stopped = Promise.withResolvers<boolean>();
  killed = false;
  readonly #startsWith: () => Promise<void>;
  readonly #address: string;
  constructor(startsWith: () => Promise<void> = async () => {}, address = URL) {
    this.#startsWith = startsWith;
    this.#address = address;
  }
  start = async () => {
    await this.#startsWith();
    this.url = this.#address;
  };
  stop = () => {
    this.stopAsked.resolve();
    return this.stopped.promise;
  };
  kill = async () => {
    this.killed = true;
  };
  newSessionCookie = () => ({ name: 'robot-session-8000', value: 'secret' });
  readonly #bus = new EventBus();
  readonly watch = this.#bus.subscribe;
  /** Sends an event to those who watch. */
  readonly publish = this.#bus.publish;
  newSignInUrl = () => `${this.#address}/sign-in?code=once`;
}

/** A program that is not started yet, on a Linux desktop without a tray unless given otherwise. */
export async function desktop(daemons: FakeDaemon[] = [new FakeDaemon()], more: Partial<DesktopAppDeps> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'desktop-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const host = new FakeHost();
  const announced: string[] = [];
  const process = new FakeProcess();
  const ports: boolean[] = [];
  const clock = manualClock();
  const events = new FakeEvents();
  let around: DesktopHost | undefined;
  const app = new DesktopApp({
    host,
    version: '1.0.0',
    platform: 'linux',
    argv: ['/opt/robot-desktop/robot-desktop'],
    process,
    die: () => {},
    clock,
    dataDir,
    iconFile: '/icon.png',
    createDaemon: (options) => {
      around = options.desktop;
      ports.push(options.anyPort);
      return daemons[ports.length - 1] as FakeDaemon;
    },
    runningDaemon: async () => null,
    watchEvents: (_url, signal) => events.open(signal),
    loginItem: new FakeLoginItem(),
    isLoginStart: () => false,
    hasTrayHost: async () => false,
    desktopName: '',
    updates: {
      way: async () => ({ by: 'off', reason: 'It is a test.' }),
      updater: () => Promise.reject(new Error('It is a test.')),
      isProgramThere: async () => true,
    },
    log: { error: () => {} },
    guardian: { start: async () => {}, endedInOrder: async () => {} },
    announce: (url) => announced.push(url),
    ...more,
  });
  /** The program around the daemon, as the daemon got it. */
  const settings = () => around as DesktopHost;
  return { app, host, process, dataDir, announced, ports, clock, events, settings };
}

/** The window, which must be the only one so far. */
export function only(host: FakeHost): FakeWindow {
  expect(host.windows).toHaveLength(1);
  return host.windows[0] as FakeWindow;
}
