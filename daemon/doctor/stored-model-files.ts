import { modelUsers } from '../endpoints/replicas/model-user.ts';
import type { ModelUser } from '../model-files/model-inventory.ts';
import { ModelInventory } from '../model-files/model-inventory.ts';
import { ModelStore } from '../model-files/model-store.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { createLogger } from '../shared/logger.ts';
import { readEndpointRecords } from './endpoint-records.ts';

/** The model files of a data folder, read without a daemon. Removing needs the folder's lock. */
export function storedModelFiles(paths: DataPaths): ModelInventory {
  return new ModelInventory({
    store: new ModelStore(paths.models, createLogger('error')),
    users: () => usersIn(paths.endpoints),
    isBusy: () => false,
  });
}

/** A damaged endpoint uses nothing: its files can be downloaded again. */
async function usersIn(folder: string): Promise<ModelUser[]> {
  const endpoints = await readEndpointRecords(folder);
  return modelUsers(endpoints.map(({ record }) => record));
}
