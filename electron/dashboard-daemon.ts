import type { DaemonClient } from '../daemon/client/calls.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { isLoopback } from '../daemon/http/security/own-hosts.ts';
import type { AppPage } from './app-windows.ts';

/** What the desktop app asks of the daemon that its window shows; over HTTP, since that may be another process. */
export class DashboardDaemon {
  readonly #daemon: DaemonClient;

  constructor(url: string) {
    this.#daemon = daemonAt(url);
  }

  async stopApp(): Promise<void> {
    await this.#daemon.call('stopCurrentApp');
  }

  /** The running app, if its page is at that address. @returns null for anything else */
  async appPageAt(url: string): Promise<AppPage | null> {
    const asked = URL.parse(url);
    if (asked?.protocol !== 'http:' || !isLoopback(asked.hostname)) return null;
    const [apps, slot] = await Promise.all([this.#daemon.call('listApps'), this.#daemon.call('getAppSlot')]);
    const running = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.appName : null;
    const app = apps.find(({ name }) => name === running);
    const isItsPage = app?.settingsPage && app.settingsPage.port === Number(asked.port || 80);
    return isItsPage ? { appName: app.name, title: app.title, url } : null;
  }

  /** Whether an address is that of a Space on the daemon's hub, which the dashboard leads to. */
  async isHubPage(url: string): Promise<boolean> {
    const asked = URL.parse(url);
    if (asked?.protocol !== 'https:' || asked.username !== '' || !asked.pathname.startsWith('/spaces/')) return false;
    const { hub } = await this.#daemon.call('getHubAccount');
    return asked.origin === URL.parse(hub)?.origin;
  }
}
