import { DownloadCache, PrunedDownloadCache } from '../download-cache.ts';
import { type Operation, refused } from './operation.ts';

/** The downloads that installs of apps keep. */
export const downloadCacheOperations = {
  getDownloadCache: {
    method: 'GET',
    path: '/api/download-cache',
    summary: 'The size of the downloads that installs keep for later ones',
    success: { status: 200, schema: DownloadCache },
  },
  pruneDownloadCache: {
    method: 'POST',
    path: '/api/download-cache/prune',
    summary: 'Remove the downloads that installs keep; installed apps are not affected',
    success: { status: 200, schema: PrunedDownloadCache },
    refusals: { 409: refused('An app is being installed, or the downloads are being removed') },
  },
} as const satisfies Record<string, Operation>;
