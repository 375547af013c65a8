import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ModelFiles } from '../../model-files/model-files.ts';
import type { Clock } from '../../shared/clock.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Routes } from './serve-operations.ts';

export interface ModelFileServices {
  readonly modelFiles: ModelFiles;
}

/** A check itself ends earlier, with an error. */
const CHECK_MS = 60_000;

/** The files of models on this machine. */
export function modelFileRoutes(clock: Clock, { modelFiles }: ModelFileServices) {
  return {
    listModelFiles: () => modelFiles.list(),
    removeModelFile: ({ params }) => modelFiles.remove(params.fileId),
    checkModelFile: ({ body }) => {
      return modelFiles.check(absolute(body.path), { signal: clock.timeout(CHECK_MS) });
    },
  } satisfies Partial<Routes>;
}

function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  const full = /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : '/home/me/models/model.gguf';
  const message = `Write the full path, ${path.startsWith('~') ? 'here' : 'such as'} ${full}.`;
  throw new InvalidBody(message, [{ path: ['path'], message: 'must be absolute' }]);
}
