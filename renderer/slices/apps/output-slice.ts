import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';
import {
  emptyOutput,
  missingPage,
  type OutputBuffer,
  outputOfRun,
  withLines,
  withNewest,
  withPage,
} from './output-buffer.ts';

export interface OutputSlice {
  /** The output of the current or last run. */
  readonly output: OutputBuffer;
  /** Loads lines that the events skipped, one page at a time, newest lines first. */
  readonly fillOutput: () => Promise<void>;
}

export function createOutputSlice(
  set: SetState<OutputSlice>,
  get: GetState<OutputSlice>,
  call: DaemonClient['call'],
): OutputSlice {
  let filling = false;
  return {
    output: emptyOutput,
    async fillOutput() {
      if (filling) return;
      filling = true;
      try {
        for (let query = missingPage(get().output); query; query = missingPage(get().output)) {
          const page = await call('getAppOutput', { query });
          const before = get().output;
          if (page.runId !== before.runId) break; // a new run: its events follow
          const output = withPage(before, page);
          set({ output });
          if (output.lines === before.lines && output.firstKept === before.firstKept) break; // fetch-missing.ts retries
        }
      } catch {
        // The lines stay missing: fetch-missing.ts retries.
      } finally {
        filling = false;
      }
    },
  };
}

export const outputReducers: Reducers<OutputSlice> = {
  snapshot: ({ output }, { snapshot }) => ({ output: withPage(output, snapshot.output) }),
  'app-slot.changed': ({ output }, { slot }) => {
    // A new run starts with an empty buffer.
    const holder = slot.state === 'free' ? null : slot.holder;
    if (holder?.kind !== 'managed-app' || holder.runId === output.runId) return {};
    return { output: outputOfRun(holder.runId, holder.appName) };
  },
  'app-output.appended': ({ output }, event) => ({ output: withLines(ofRun(output, event), event.lines) }),
  'app-output.gap': ({ output }, event) => ({ output: withNewest(ofRun(output, event), event.to) }),
};

function ofRun(output: OutputBuffer, { runId, appName }: { runId: string; appName: string }): OutputBuffer {
  return output.runId === runId ? output : outputOfRun(runId, appName);
}
