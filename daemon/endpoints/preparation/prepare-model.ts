import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import type { ModelProgress } from '../../model-files/local-copies.ts';
import type { WantedModel } from '../../model-files/model-choice.ts';
import type { LocalModel } from '../../model-files/model-files.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { modelSource } from '../description/model-source.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type { ModelNeed, PreparedModel } from '../runtime/endpoint-runtime.ts';
import type { StartReport } from './start-report.ts';

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
}

/** Downloads and checks models. */
export interface ModelSupply {
  /** Downloads what is missing of a repository's .gguf files, and checks them. */
  ensure(wanted: WantedModel, work: Work): Promise<LocalModel>;
  /** Downloads what is missing of a repository, as engines in containers read it, and checks it. */
  ensureRepository(
    wanted: Pick<WantedModel, 'repository' | 'revision' | 'prefersCopy'>,
    work: Work,
  ): Promise<{ readonly folder: string }>;
  /** Checks a file of this machine. */
  check(path: string, options: { readonly signal: AbortSignal }): Promise<GgufFacts>;
}

interface Preparation {
  /** A model that has served starts again as it was: another version would be another model. */
  readonly keepsVersion: boolean;
  readonly models: ModelSupply;
  readonly signal: AbortSignal;
  readonly report: StartReport;
}

/**
 * Puts a model on the disk as its runtime needs it, and checks it.
 * @throws EndpointFailed, HubError, ModelFileError, the reason of the signal
 */
export async function prepareModel(
  parts: EndpointParts,
  need: ModelNeed,
  preparation: Preparation,
): Promise<PreparedModel> {
  switch (need) {
    case 'nothing':
      return { kind: 'nothing' };
    case 'gguf':
      return { kind: 'gguf', files: await prepareGguf(parts, preparation) };
    case 'repository': {
      const { repository, revision } = parts.model;
      const wanted = { repository, revision, prefersCopy: preparation.keepsVersion };
      const { folder } = await preparation.models.ensureRepository(wanted, workOf(preparation));
      return { kind: 'repository', folder };
    }
  }
}

async function prepareGguf(parts: EndpointParts, preparation: Preparation): Promise<LocalModel> {
  const { keepsVersion, models, signal, report } = preparation;
  const source = modelSource(parts);
  if (source.source === 'none') {
    const action = 'Change the paths in the endpoint.';
    throw new EndpointFailed({ reason: 'invalid-setting', message: source.problem, action });
  }
  if (source.source === 'own') {
    const { model: modelPath, mmproj: mmprojPath, draft: draftPath } = source;
    report.at('verify');
    const facts = await models.check(modelPath, { signal });
    for (const path of [mmprojPath, draftPath]) if (path !== null) await models.check(path, { signal });
    return { modelPath, mmprojPath, draftPath, facts };
  }
  const { source: _, ...wanted } = source;
  return models.ensure({ ...wanted, prefersCopy: keepsVersion }, workOf(preparation));
}

function workOf({ signal, report }: Preparation): Work {
  return {
    signal,
    onProgress: ({ phase, doneBytes, totalBytes }) => {
      if (phase === 'download') report.downloaded('download', doneBytes, totalBytes);
      else report.at('verify');
    },
  };
}
