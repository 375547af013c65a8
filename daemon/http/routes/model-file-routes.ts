import { isAbsolute } from 'node:path';
import type { ModelFiles } from '../../model-files/model-files.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Routes } from './serve-operations.ts';

export interface ModelFileServices {
  readonly modelFiles: ModelFiles;
}

/** A check itself ends earlier, with an error. */
const CHECK_MS = 60_000;

/** The files of models on this machine. */
export function modelFileRoutes({ modelFiles }: ModelFileServices) {
  return {
    listModelFiles: () => modelFiles.list(),
    removeModelFile: ({ params }) => modelFiles.remove(params.fileId),
    checkModelFile: ({ body }) => {
      return modelFiles.check(absolute(body.path), { signal: AbortSignal.timeout(CHECK_MS) });
    },
  } satisfies Partial<Routes>;
}

function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  throw new InvalidBody('The path must be absolute.', [{ path: ['path'], message: 'must be absolute' }]);
}
