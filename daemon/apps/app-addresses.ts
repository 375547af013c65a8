import type { AppStore } from './app-store.ts';
import { appKey } from './installed/app-key.ts';
import type { ShippedApps } from './installed/shipped-apps.ts';

interface AppAddressesDeps {
  readonly shipped: Pick<ShippedApps, 'samples'>;
  readonly store: Pick<AppStore, 'ready' | 'addressOf'>;
}

/** The apps that can be installed by name: samples first, then apps of the store. */
export class AppAddresses {
  readonly #deps: AppAddressesDeps;

  constructor(deps: AppAddressesDeps) {
    this.#deps = deps;
  }

  /** The install address of an app; null when no app has that name, or several apps of the store have it. */
  async addressOf(name: string): Promise<string | null> {
    const { shipped, store } = this.#deps;
    const sample = shipped.samples.find((app) => appKey(app.name) === appKey(name));
    if (sample) return sample.url;
    await store.ready();
    return store.addressOf(name);
  }
}
