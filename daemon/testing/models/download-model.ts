/** Downloads a model for tests that kill it: `download-model.ts <folder> <hub's address> <repository> <file>`. */
import { modelFilesIn } from './model-files-in.ts';

const [folder = '', hubUrl = '', repository = '', model = ''] = process.argv.slice(2);
const { modelPath } = await modelFilesIn(folder, hubUrl).ensure(
  { repository, revision: null, model, mmproj: null, draft: null },
  { signal: new AbortController().signal, onProgress: ({ doneBytes }) => console.log(doneBytes) },
);
console.log(`done ${modelPath}`);
