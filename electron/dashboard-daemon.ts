import type { DaemonClient } from '../daemon/client/calls.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { isLoopback } from '../daemon/http/security/own-hosts.ts';
import type { AppPage } from './app-windows.ts';
import type { DaemonAction } from './tray/tray-items.ts';

/** The desktop app's requests to the daemon of its window, over HTTP, since that may be another process. */
export class DashboardDaemon {
  readonly #daemon: DaemonClient;

  /** @param token for a daemon that requires one of this machine; undefined: it does not */
  constructor(url: string, token?: string) {
    this.#daemon = daemonAt(url, { token });
  }

  async stopApp(): Promise<void> {
    await this.#daemon.call('stopCurrentApp');
  }

  /** Does what an item of the tray's menu says; settles when it is done. @throws DaemonError with the daemon's reason */
  async act(action: DaemonAction): Promise<void> {
    switch (action.does) {
      case 'stop-app':
        return this.stopApp();
      case 'start-app':
        return void (await this.#daemon.call('startApp', { params: { appName: action.appName } }));
      case 'wake-up':
        return void (await this.#daemon.call('wakeUpRobot'));
      case 'sleep':
        return void (await this.#daemon.call('putRobotToSleep'));
    }
  }

  /** @returns the names of the installed apps */
  async installedApps(): Promise<string[]> {
    return (await this.#daemon.call('listApps')).map(({ name }) => name);
  }

  /** @returns the running app's settings page if it is at that address; else null */
  async appPageAt(url: string): Promise<AppPage | null> {
    const target = URL.parse(url);
    if (target?.protocol !== 'http:' || !isLoopback(target.hostname)) return null;
    const [apps, slot] = await Promise.all([this.#daemon.call('listApps'), this.#daemon.call('getAppSlot')]);
    const running = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.appName : null;
    const app = apps.find(({ name }) => name === running);
    const isItsPage = app?.settingsPage && app.settingsPage.port === Number(target.port || 80);
    return isItsPage ? { appName: app.name, title: app.title, url } : null;
  }

  /** Whether an address is a Space on the daemon's hub. */
  async isHubPage(url: string): Promise<boolean> {
    const target = URL.parse(url);
    if (target?.protocol !== 'https:' || target.username !== '' || !target.pathname.startsWith('/spaces/'))
      return false;
    const { hub } = await this.#daemon.call('getHubAccount');
    return target.origin === URL.parse(hub)?.origin;
  }
}
