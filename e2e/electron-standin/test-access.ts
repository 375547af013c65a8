/** For tests: what the stand-in knows and Electron would not tell. */
import type { ElectronApplication } from '@playwright/test';
import type { DialogAnswer, RecordedCall, standIn } from './record.ts';

type StandInModule = { readonly standIn: typeof standIn };

export type { DialogAnswer, RecordedCall };

/** Whether the app runs on the stand-in; what it shows must never be reported as Electron's. */
export function runsOnStandIn(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(() => process.versions['electron']?.includes('stand-in') ?? false);
}

/** The calls so far that leave no trace in a page: of shell, dialog and others. */
export function recordedCalls(app: ElectronApplication): Promise<readonly RecordedCall[]> {
  return app.evaluate((electron) => (electron as unknown as StandInModule).standIn.calls);
}

/** Answers the next dialogs, in order. A dialog without an answer is cancelled, or takes its first button. */
export function answerDialogs(app: ElectronApplication, ...answers: DialogAnswer[]): Promise<void> {
  return app.evaluate((electron, queued) => {
    (electron as unknown as StandInModule).standIn.dialogAnswers.push(...queued);
  }, answers);
}
