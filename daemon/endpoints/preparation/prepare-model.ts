import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import type { ModelProgress } from '../../model-files/downloaded-bytes.ts';
import type { WantedModel } from '../../model-files/model-choice.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type { LocalModel } from '../runtime/endpoint-runtime.ts';
import type { ModelSource } from './model-source.ts';
import { atStep, startProgress } from './start-progress.ts';

/** Downloads and checks models. */
export interface ModelSupply {
  /** Downloads what is missing of a repository's files, and checks them. */
  ensure(
    wanted: WantedModel,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: ModelProgress) => void },
  ): Promise<LocalModel>;
  /** Checks a file of this machine. */
  check(path: string, options: { readonly signal: AbortSignal }): Promise<GgufFacts>;
}

interface Preparation {
  /** A model that has served starts again as it was: another version would be another model. */
  readonly keepsVersion: boolean;
  readonly models: ModelSupply;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: EndpointProgress) => void;
}

/** Puts the model's files on the disk and checks them. @throws EndpointFailed, HubError, ModelFileError, the reason of the signal */
export async function prepareModel(
  source: ModelSource,
  { keepsVersion, models, signal, onProgress }: Preparation,
): Promise<LocalModel> {
  if (source.source === 'none') {
    const action = 'Change the paths in the endpoint.';
    throw new EndpointFailed({ reason: 'invalid-setting', message: source.problem, action });
  }
  if (source.source === 'own') {
    const { model: modelPath, mmproj: mmprojPath, draft: draftPath } = source;
    onProgress(startProgress(false));
    const facts = await models.check(modelPath, { signal });
    for (const path of [mmprojPath, draftPath]) if (path !== null) await models.check(path, { signal });
    return { modelPath, mmprojPath, draftPath, facts };
  }
  const { source: _, ...wanted } = source;
  let progress = startProgress(true);
  let meter: TransferMeter | null = null;
  onProgress(progress);
  try {
    return await models.ensure(
      { ...wanted, prefersCopy: keepsVersion },
      {
        signal,
        onProgress: ({ phase, doneBytes, totalBytes }) => {
          if (phase === 'download') {
            meter ??= new TransferMeter(totalBytes, (transfer) => {
              progress = atStep(progress, 'download', transfer);
              onProgress(progress);
            });
            meter.set(doneBytes);
          } else {
            meter?.close();
            meter = null;
            progress = atStep(progress, 'verify');
            onProgress(progress);
          }
        },
      },
    );
  } finally {
    (meter as TransferMeter | null)?.close();
  }
}
