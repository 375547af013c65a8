import * as z from 'zod';
import { GgufFacts, ModelFile } from '../model-files/model-files.ts';
import { badBody, badPath, type Operation, refused, unauthorized } from './operation.ts';

/** The files of models on this machine. */
export const modelFileOperations = {
  listModelFiles: {
    method: 'GET',
    path: '/api/model-files',
    summary: 'The model files on this machine, partial ones too, with the endpoints that use them',
    success: { status: 200, schema: z.array(ModelFile) },
  },
  // Before the operations on one file, whose path matches this one too.
  checkModelFile: {
    method: 'POST',
    path: '/api/model-files/check',
    summary: 'Check a .gguf file of this machine, and read the facts in its header',
    body: z.strictObject({ path: z.string().min(1).max(4_096).describe('Absolute') }),
    caller: 'deployer-here',
    success: { status: 200, schema: GgufFacts },
    refusals: {
      400: badBody,
      401: unauthorized,
      404: refused('There is no such file'),
      422: refused('The file cannot be used: no GGUF, cut off, or unreadable'),
    },
  },
  removeModelFile: {
    saves: true,
    method: 'DELETE',
    path: '/api/model-files/{fileId}',
    summary: 'Remove a model file that no endpoint uses; replies with it',
    params: z.object({ fileId: z.string().min(1).max(64) }),
    caller: 'deployer-of-all',
    success: { status: 200, schema: ModelFile },
    refusals: {
      400: badPath,
      401: unauthorized,
      404: refused('There is no such model file'),
      409: refused('An endpoint uses it'),
    },
  },
} as const satisfies Record<string, Operation>;
