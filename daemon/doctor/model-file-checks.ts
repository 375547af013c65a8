import { modelFileName, WHOLE_REPOSITORY } from '../contract/model-files/model-file-name.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { partFilesOf } from '../model-files/partial-file.ts';
import type { Finding } from './check.ts';

/** Finds the files of models that no endpoint uses, and those that are no longer whole. */
export function checkModelFiles(files: readonly ModelFile[]): Finding[] {
  return files.flatMap((file): Finding[] => {
    const { id, repository, path, location, bytes, state, users } = file;
    const name = `${modelFileName(file)} of ${repository}`;
    const byHand = { kind: 'by-hand', how: `To remove it: robot-daemon model rm ${id}` } as const;
    if (state === 'damaged') {
      const what = `The model file ${name} has ${bytes} bytes instead of ${file.totalBytes}.`;
      const how =
        users.length > 0
          ? 'The next start of its endpoint downloads it again.'
          : `No endpoint uses it: robot-daemon model rm ${id}`;
      return [{ code: 'model-damaged', severity: 'note', what, where: location, fix: { kind: 'by-hand', how } }];
    }
    if (users.length > 0) return [];
    if (state === 'partial') {
      const what = `A partial download of ${name}, which no endpoint uses.`;
      // Parts of several files, beside whole ones.
      const isOneFile = path !== WHOLE_REPOSITORY;
      const fix = isOneFile ? ({ kind: 'remove', paths: partFilesOf(location) } as const) : byHand;
      return [{ code: 'model-partial', severity: 'untidy', what, where: location, fix }];
    }
    const what = `No endpoint uses the model file ${name}.`;
    return [{ code: 'model-unused', severity: 'note', what, where: location, fix: byHand }];
  });
}
