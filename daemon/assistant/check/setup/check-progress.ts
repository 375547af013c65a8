/** Reports the progress of a full check; the steps are `checkSteps`. */
export interface CheckProgress {
  readonly signal: AbortSignal;
  readonly step: (name: string) => void;
  readonly detail: (text: string) => void;
  readonly log: (line: string) => void;
}
