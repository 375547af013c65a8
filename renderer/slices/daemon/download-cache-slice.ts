import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DownloadCache } from '../../../daemon/contract/apps/apps.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { SetState } from '../base/slice.ts';

export interface DownloadCacheSlice {
  /** The downloads that installs keep, as last counted. */
  readonly downloadCache: Loaded<DownloadCache> | null;
  readonly loadDownloadCache: () => Promise<void>;
  /** @returns the bytes that it freed; null: refused */
  readonly pruneDownloadCache: () => Promise<number | null>;
}

export function createDownloadCacheSlice(
  set: SetState<DownloadCacheSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): DownloadCacheSlice {
  return {
    downloadCache: null,
    loadDownloadCache: () =>
      load<DownloadCache>(
        () => daemon.call('getDownloadCache'),
        (next) => set(({ downloadCache }) => ({ downloadCache: next(downloadCache) })),
      ),
    async pruneDownloadCache() {
      const pruned = await send('download-cache', () => daemon.call('pruneDownloadCache'));
      if (!pruned) return null;
      const { freedBytes, ...value } = pruned;
      set({ downloadCache: { state: 'loaded', value } });
      return freedBytes;
    },
  };
}
