import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonEvent } from '../../../daemon/contract/events.ts';
import type { GetState, SetState } from '../../store/slice.ts';
import {
  emptyOutput,
  missingAfter,
  type OutputBuffer,
  outputOfRun,
  withLines,
  withNewest,
  withPage,
} from './output-buffer.ts';

export interface OutputSlice {
  /** Of the current run, or of the last one. */
  readonly output: OutputBuffer;
  /** Fetches lines that exist but did not come with the events. One fetch at a time, newest lines first. */
  readonly fillOutput: () => Promise<void>;
}

export function createOutputSlice(
  set: SetState<OutputSlice>,
  get: GetState<OutputSlice>,
  daemon: DaemonClient,
): OutputSlice {
  let filling = false;
  return {
    output: emptyOutput,
    async fillOutput() {
      if (filling) return;
      filling = true;
      try {
        for (let after = missingAfter(get().output); after !== null; after = missingAfter(get().output)) {
          const page = await daemon.call('getAppOutput', { query: { after } });
          const before = get().output;
          if (page.runId !== before.runId) break; // the events of the new run are on their way
          set({ output: withPage(before, page) });
          if (missingAfter(get().output) === after) break; // no progress: the next event tries again
        }
      } catch {
        // The lines stay missing until the next event or the next snapshot, which try again.
      } finally {
        filling = false;
      }
    },
  };
}

export function outputAfter({ output }: OutputSlice, event: DaemonEvent): Partial<OutputSlice> {
  switch (event.type) {
    case 'snapshot':
      return { output: withPage(output, event.snapshot.output) };
    case 'app-slot.changed': {
      // A new run begins with nothing, so that the last one's output is not taken for its own.
      const holder = event.slot.state === 'free' ? null : event.slot.holder;
      if (holder?.kind !== 'managed-app' || holder.runId === output.runId) return {};
      return { output: outputOfRun(holder.runId, holder.appName) };
    }
    case 'app-output.appended':
      return { output: withLines(ofRun(output, event), event.lines) };
    case 'app-output.gap':
      return { output: withNewest(ofRun(output, event), event.to) };
    default:
      return {};
  }
}

function ofRun(output: OutputBuffer, { runId, appName }: { runId: string; appName: string }): OutputBuffer {
  return output.runId === runId ? output : outputOfRun(runId, appName);
}
