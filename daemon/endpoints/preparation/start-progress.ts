import { byteText } from '../../contract/common/byte-text.ts';
import type { Transfer, WorkStep } from '../../contract/common/progress.ts';
import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';

const titles = {
  download: 'Download the model',
  verify: 'Check the model file',
  start: 'Start the server',
  load: 'Load the model',
} as const;
export type StartStep = keyof typeof titles;

const sentences: Readonly<Record<StartStep, string>> = {
  download: 'Downloading the model.',
  verify: 'Checking the model file.',
  start: 'Starting the server.',
  load: 'Loading the model.',
};

/** The progress of a start, at its first step. @param downloads whether the model may have to be downloaded */
export function startProgress(downloads: boolean): EndpointProgress {
  const steps = (Object.keys(titles) as StartStep[]).filter((name) => downloads || name !== 'download');
  return {
    steps: steps.map((name, index) => ({ name, title: titles[name], state: index === 0 ? 'running' : 'pending' })),
    transfer: null,
    detail: null,
  };
}

/** The progress with a step under way and those before it done. */
export function atStep(
  { steps }: EndpointProgress,
  name: StartStep,
  transfer: Transfer | null = null,
  detail: string | null = null,
): EndpointProgress {
  const at = steps.findIndex((step) => step.name === name);
  const state = (index: number): WorkStep['state'] => (index < at ? 'done' : index === at ? 'running' : 'pending');
  return { steps: steps.map((step, index) => ({ ...step, state: state(index) })), transfer, detail };
}

/** The step under way in one sentence. */
export function progressText({ steps, transfer }: EndpointProgress): string {
  const step = steps.find(({ state }) => state === 'running')?.name as StartStep | undefined;
  if (step === 'download' && transfer?.totalBytes) {
    const percent = Math.floor((100 * transfer.doneBytes) / transfer.totalBytes);
    return `Downloading the model: ${percent} % of ${byteText(transfer.totalBytes)}.`;
  }
  return step ? sentences[step] : 'Starting.';
}
