import { modelFileName, WHOLE_REPOSITORY } from '../contract/model-files/model-file-name.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { partFilesOf } from '../model-files/partial-file.ts';
import { byHand, type Finding, type Fix, note, untidy } from './check.ts';

/** Finds the files of models that no endpoint uses, and those that are no longer whole. */
export function checkModelFiles(files: readonly ModelFile[]): Finding[] {
  return files.flatMap((file): Finding[] => {
    const { id, repository, path, location, bytes, state, users } = file;
    const name = `${modelFileName(file)} of ${repository}`;
    const removal = byHand(`To remove it: robot-daemon model rm ${id}`);
    if (state === 'damaged') {
      const what = `The model file ${name} has ${bytes} bytes instead of ${file.totalBytes}.`;
      const how =
        users.length > 0
          ? 'The next start of its endpoint downloads it again.'
          : `No endpoint uses it: robot-daemon model rm ${id}`;
      return [note('model-damaged', what, location, byHand(how))];
    }
    if (users.length > 0) return [];
    if (state === 'partial') {
      const what = `A partial download of ${name}, which no endpoint uses.`;
      // Parts of several files, beside whole ones.
      const isOneFile = path !== WHOLE_REPOSITORY;
      const fix: Fix = isOneFile ? { kind: 'remove', paths: partFilesOf(location), modelFile: id } : removal;
      return [untidy('model-partial', what, location, fix)];
    }
    return [note('model-unused', `No endpoint uses the model file ${name}.`, location, removal)];
  });
}
