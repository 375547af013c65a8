import type { ProgressLine } from '../shared/progress-line.ts';

/** Tells the steps of work of this process, as those of a job are told. */
export function stepProgress(
  steps: readonly { readonly name: string; readonly title: string }[],
  line: ProgressLine,
  signal: AbortSignal,
) {
  let current = -1;
  const show = (detail: string | null) =>
    line.showJob({
      steps: steps.map((step, index) => ({ ...step, state: index > current ? 'pending' : 'running' })),
      detail,
      transfer: null,
    });
  return {
    signal,
    step: (name: string) => {
      current = steps.findIndex((step) => step.name === name);
      show(null);
    },
    detail: (text: string) => show(text),
    log: () => {},
  };
}
