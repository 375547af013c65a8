import type { GgufFacts } from '../../contract/model-files/model-files.ts';

/** The facts of a small model without a pooling of its own. */
export const tinyFacts: GgufFacts = {
  ...{ architecture: 'llama', name: null, parameterCount: null, contextLength: 512, shape: null, fileType: null },
  ...{ hasChatTemplate: true, pooling: null, isClassifier: false, sizeBytes: 400_000 },
};
