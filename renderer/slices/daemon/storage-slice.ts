import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { Storage } from '../../../daemon/contract/daemon.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { SetState } from '../base/slice.ts';

export interface StorageSlice {
  /** The space of the disk, as last asked. */
  readonly storage: Loaded<Storage> | null;
  readonly loadStorage: () => Promise<void>;
}

export function createStorageSlice(set: SetState<StorageSlice>, daemon: DaemonClient): StorageSlice {
  return {
    storage: null,
    loadStorage: () =>
      load<Storage>(
        () => daemon.call('getStorage'),
        (next) => set(({ storage }) => ({ storage: next(storage) })),
      ),
  };
}
