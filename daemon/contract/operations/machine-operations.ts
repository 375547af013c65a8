import * as z from 'zod';
import { DownloadCache, PrunedDownloadCache } from '../apps/apps.ts';
import { GraphicsCards } from '../compute/graphics-cards.ts';
import { RuntimeList } from '../endpoints/runtimes.ts';
import { Job } from '../jobs.ts';
import { GgufFacts, ModelFile } from '../model-files/model-files.ts';
import { at, type Operation, refused, tooManyJobs } from './operation.ts';

/** The files of models on this machine, and the programs that serve them. */
export const machineOperations = {
  listModelFiles: {
    ...at('GET /api/model-files', z.array(ModelFile)),
    summary: 'The model files on this machine, partial ones too, with the endpoints that use them',
  },
  // Before the operations on one file, whose path matches this one too.
  checkModelFile: {
    ...at('POST /api/model-files/check', GgufFacts),
    summary: 'Check a .gguf file of this machine, and read the facts in its header',
    body: z.strictObject({ path: z.string().min(1).max(4_096).describe('Absolute') }),
    caller: 'deployer-here',
    refusals: {
      404: refused('There is no such file'),
      422: refused('The file cannot be used: no GGUF, cut off, or unreadable'),
    },
  },
  removeModelFile: {
    saves: true,
    ...at('DELETE /api/model-files/{fileId}', ModelFile),
    summary: 'Remove a model file that no endpoint uses; replies with it',
    params: z.object({ fileId: z.string().min(1).max(64) }),
    caller: 'deployer-of-all',
    refusals: {
      404: refused('There is no such model file'),
      409: refused('An endpoint uses it'),
    },
  },
  listRuntimes: {
    ...at('GET /api/runtimes', RuntimeList),
    summary: 'The programs that serve models on this machine, and which llama-server can be installed',
  },
  findRuntimes: {
    ...at('POST /api/runtimes/refresh', RuntimeList),
    summary: 'Look again for the programs that serve models, after one was installed or removed',
  },
  listGraphicsCards: {
    ...at('GET /api/graphics-cards', GraphicsCards),
    summary: 'The graphics cards that models can use, with their memory, and what uses them',
    query: z.object({
      measure: z
        .stringbool()
        .default(true)
        .describe(
          'false: reply at once with what is known, and ask no driver. Without a look since the start of the system none is listed',
        ),
    }),
  },
  switchGraphicsCards: {
    saves: true,
    ...at('PUT /api/graphics-cards', GraphicsCards),
    summary: 'Let models use the graphics cards or not, from their next start',
    body: z.strictObject({ isOn: z.boolean() }),
    caller: 'deployer-of-all',
  },
  tryGraphicsCardsAgain: {
    saves: true,
    ...at('POST /api/graphics-cards/try-again', GraphicsCards),
    summary: 'Look for the graphics cards again, after one has failed or a driver was installed',
    caller: 'deployer-of-all',
  },
  installLlamaServer: {
    ...at('POST /api/runtimes/llama-server/install', Job, { status: 202 }),
    summary: 'Install llama-server from its own project’s release; replies at once with its job',
    caller: 'deployer-of-all',
    refusals: { 503: tooManyJobs },
  },
} as const satisfies Record<string, Operation>;

/** The downloads that installs of apps keep. */
export const downloadCacheOperations = {
  getDownloadCache: {
    ...at('GET /api/download-cache', DownloadCache),
    summary: 'The size of the downloads that installs keep for later ones',
  },
  pruneDownloadCache: {
    ...at('POST /api/download-cache/prune', PrunedDownloadCache),
    summary: 'Remove the downloads that installs keep; installed apps are not affected',
    refusals: { 409: refused('An app is being installed, or the downloads are being removed') },
  },
} as const satisfies Record<string, Operation>;
