import { byteText } from '../../contract/common/byte-text.ts';
import type { Transfer, WorkStep } from '../../contract/common/progress.ts';
import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { modelSource } from '../description/model-source.ts';
import type { ModelNeed } from '../runtime/endpoint-runtime.ts';

/** The title of each step of a start, and its sentence while it is under way. */
const texts = {
  engine: ['Wait for the engine', 'The container engine does not answer. Waiting for it.'],
  pull: ['Download the image', 'Downloading the image.'],
  download: ['Download the model', 'Downloading the model.'],
  verify: ['Check the model file', 'Checking the model file.'],
  start: ['Start the server', 'Starting the server.'],
  load: ['Load the model', 'Loading the model.'],
  // Its driver compiles programs at the first use of a model, and keeps them.
  warm: [
    'Prepare the graphics card',
    'Preparing the graphics card: about half a minute the first time, a moment afterwards.',
  ],
} as const;
export type StartStep = keyof typeof texts;

/**
 * The steps of a start.
 * @param how `pulls`: whether its runtime fetches an image. `warmsUp`: whether it runs on a graphics card. Absent: before its
 * runtime is known
 */
export function startSteps(
  parts: EndpointParts,
  { pulls, need, warmsUp }: { readonly pulls: boolean; readonly need: ModelNeed; readonly warmsUp: boolean } = expected(
    parts,
  ),
): StartStep[] {
  const downloads = need === 'repository' || (need === 'gguf' && modelSource(parts).source === 'repository');
  return [
    ...(pulls ? (['pull'] as const) : []),
    ...(downloads ? (['download'] as const) : []),
    ...(need === 'nothing' ? [] : (['verify'] as const)),
    ...(['start', 'load'] as const),
    ...(warmsUp ? (['warm'] as const) : []),
  ];
}

function expected({ model, compute, experimentalFeatures }: EndpointParts) {
  if (model.image.llamacpp) return { pulls: false, need: 'gguf', warmsUp: compute.accelerator === 'gpu' } as const;
  const need = experimentalFeatures.skipRepoDownload ? 'nothing' : 'repository';
  return { pulls: true, need, warmsUp: false } as const;
}

/** The progress of a start, at its first step. */
export function startProgress(steps: readonly StartStep[]): EndpointProgress {
  return {
    steps: steps.map((name, index) => ({ name, title: texts[name][0], state: index === 0 ? 'running' : 'pending' })),
    transfer: null,
    detail: null,
  };
}

/** The progress with a step under way and those before it done. A step that it does not have becomes its first. */
export function atStep(
  { steps: before }: EndpointProgress,
  name: StartStep,
  transfer: Transfer | null = null,
  detail: string | null = null,
): EndpointProgress {
  const known = before.some((step) => step.name === name);
  const steps = known ? before : [{ name, title: texts[name][0] }, ...before];
  const at = steps.findIndex((step) => step.name === name);
  const state = (index: number): WorkStep['state'] => (index < at ? 'done' : index === at ? 'running' : 'pending');
  return { steps: steps.map((step, index) => ({ ...step, state: state(index) })), transfer, detail };
}

/** The step under way in one sentence. */
export function progressText({ steps, transfer, detail }: EndpointProgress): string {
  const step = steps.find(({ state }) => state === 'running')?.name as StartStep | undefined;
  if (step === undefined) return 'Starting.';
  const [, sentence] = texts[step];
  if (step !== 'download' && step !== 'pull') return detail === null ? sentence : `${sentence} ${detail}`;
  const percent = transfer?.totalBytes ? Math.floor((100 * transfer.doneBytes) / transfer.totalBytes) : null;
  const howFar = percent === null ? detail : `${percent} % of ${byteText(transfer?.totalBytes ?? 0)}`;
  return howFar === null ? sentence : sentence.replace(/\.$/, `: ${howFar}.`);
}

/** Reports a start step by step, and a download twice a second with its rate. */
export class StartReport implements Disposable {
  readonly #clock: Clock;
  readonly #onProgress: (progress: EndpointProgress) => void;
  #progress: EndpointProgress;
  #meter: { readonly step: StartStep; readonly bytes: TransferMeter } | null = null;

  constructor(clock: Clock, steps: readonly StartStep[], onProgress: (progress: EndpointProgress) => void) {
    this.#clock = clock;
    this.#onProgress = onProgress;
    this.#progress = startProgress(steps);
    onProgress(this.#progress);
  }

  /** A step is under way. @param detail how far it is, where no bytes are known */
  at(step: StartStep, detail: string | null = null): void {
    this.#endDownload();
    this.#show(atStep(this.#progress, step, null, detail));
  }

  /** A step downloads, and has so many bytes of all. */
  downloaded(step: StartStep, doneBytes: number, totalBytes: number | null): void {
    if (this.#meter?.step !== step) {
      this.#endDownload();
      const show = (transfer: Transfer | null) => this.#show(atStep(this.#progress, step, transfer));
      const bytes = new TransferMeter(this.#clock, totalBytes, show);
      this.#meter = { step, bytes };
    }
    this.#meter.bytes.set(doneBytes, totalBytes);
  }

  [Symbol.dispose](): void {
    this.#endDownload();
  }

  #endDownload(): void {
    this.#meter?.bytes.close();
    this.#meter = null;
  }

  #show(progress: EndpointProgress): void {
    this.#progress = progress;
    this.#onProgress(progress);
  }
}
