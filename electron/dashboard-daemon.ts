import type { AppSlotState } from '../daemon/contract/app-slot.ts';
import type { InstalledApp } from '../daemon/contract/apps.ts';
import { operations } from '../daemon/contract/operations.ts';
import type { HubAccount } from '../daemon/contract/store.ts';
import { isLoopback } from '../daemon/http/own-hosts.ts';
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

  /** The running app, if its page is at that address. @returns null for anything else */
  async appPageAt(url: string): Promise<AppPage | null> {
    const asked = URL.parse(url);
    if (asked?.protocol !== 'http:' || !isLoopback(asked.hostname)) return null;
    const [apps, slot] = await Promise.all([
      this.#get<InstalledApp[]>(operations.listApps.path),
      this.#get<AppSlotState>(operations.getAppSlot.path),
    ]);
    const running = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.appName : null;
    const app = apps.find(({ name }) => name === running);
    const isItsPage = app?.settingsPage && app.settingsPage.port === Number(asked.port || 80);
    return isItsPage ? { appName: app.name, title: app.title, url } : null;
  }

  /** Whether an address is that of a Space on the daemon's hub, which the dashboard leads to. */
  async isHubPage(url: string): Promise<boolean> {
    const asked = URL.parse(url);
    if (asked?.protocol !== 'https:' || asked.username !== '' || !asked.pathname.startsWith('/spaces/')) return false;
    const { hub } = await this.#get<HubAccount>(operations.getHubAccount.path);
    return asked.origin === URL.parse(hub)?.origin;
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(this.#url + path)).json()) as T;
  }
}
