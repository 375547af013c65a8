import type { HubFile } from '../hub/repository-files.ts';
import { chooseFiles } from './choose-files.ts';
import { chooseRepositoryFiles } from './choose-repository-files.ts';
import { ModelFileError } from './errors.ts';
import type { Choosing, ListedFiles, WantedRevision } from './revision-choice.ts';

export interface WantedModel extends WantedRevision {
  /** The path of the .gguf file in the repository, or a pattern such as `*Q4_K_M*`. */
  readonly model: string;
  /** The vision file; null: none. */
  readonly mmproj: string | null;
  /** The draft model for speculative decoding; null: none. */
  readonly draft: string | null;
}

export interface ChosenFiles extends ListedFiles {
  /** Each part of the model, the first one first. */
  readonly model: readonly HubFile[];
  readonly mmproj: readonly HubFile[];
  readonly draft: readonly HubFile[];
}

/** The .gguf files of one model. */
export const ggufChoosing: Choosing<WantedModel, ChosenFiles> = {
  recorded: 'commits',
  listed: (files) => files.filter(({ path }) => path.endsWith('.gguf')),
  chosen: ({ repository, model, mmproj, draft }, commit, files) => {
    const choose = (path: string | null) => (path === null ? [] : chooseFiles(files, path, repository));
    const chosen = { model: choose(model), mmproj: choose(mmproj), draft: choose(draft) };
    return { commit, files: [...new Set(Object.values(chosen).flat())], ...chosen };
  },
};

/** The whole repository, without weights that are there twice. */
export const repositoryChoosing: Choosing<WantedRevision, ListedFiles> = {
  recorded: 'repositories',
  listed: chooseRepositoryFiles,
  chosen: ({ repository }, commit, files) => {
    if (files.length > 0) return { commit, files };
    const message = `The repository ${repository} has no files.`;
    throw new ModelFileError('missing', message, 'Choose another repository or revision.');
  },
};
