import type { ModelFile } from './model-files.ts';

/** The path of a repository as a whole: all of its files but the .gguf ones, which are listed by themselves. */
export const WHOLE_REPOSITORY = '.';

/** A model file's path for people: `q4/model.gguf`, or "all files" of a repository. */
export function modelFileName({ path }: Pick<ModelFile, 'path'>): string {
  return path === WHOLE_REPOSITORY ? 'all files' : path;
}
