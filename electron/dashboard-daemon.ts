import type { AppSlotState, InstalledApp } from '../daemon/contract/apps.ts';
import { operations } from '../daemon/contract/operations.ts';
import type { AppPage } from './app-windows.ts';

/** What the desktop app asks of the daemon that its window shows; over HTTP, since that may be another process. */
export class DashboardDaemon {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async stopApp(): Promise<void> {
    const { method, path } = operations.stopCurrentApp;
    await fetch(this.#url + path, { method: method.toUpperCase() });
  }

  /** The app whose page an address is: the running one, where several claim the port. @returns null for a stranger's */
  async appPageAt(url: string): Promise<AppPage | null> {
    const asked = URL.parse(url);
    if (asked?.protocol !== 'http:' || !loopbackNames.has(asked.hostname)) return null;
    const [apps, slot] = await Promise.all([
      this.#get<InstalledApp[]>(operations.listApps.path),
      this.#get<AppSlotState>(operations.getAppSlot.path),
    ]);
    const running = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.appName : null;
    const claiming = apps.filter(({ settingsPage }) => settingsPage && String(settingsPage.port) === asked.port);
    const app = claiming.find(({ name }) => name === running) ?? claiming[0];
    return app ? { appName: app.name, title: app.title, url } : null;
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(this.#url + path)).json()) as T;
  }
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
