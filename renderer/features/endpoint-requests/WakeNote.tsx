import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { EndpointMessage, StartSteps } from '../endpoints/EndpointActivity.tsx';
import { wakeText } from './wake-text.ts';

interface WakeNoteProps {
  readonly detail: EndpointDetail;
  /** The thing that wakes it: `message`. */
  readonly noun: string;
  /** Whether a request waits for it. */
  readonly waiting: boolean;
}

/** Says that a request wakes the endpoint, or why none is answered; while one waits, the progress. */
export function WakeNote({ detail, noun, waiting }: WakeNoteProps) {
  const { report, endpoint } = detail;
  const { state } = endpoint.status;
  if (state === 'scaledToZero' && !waiting) {
    return <Note tone="asleep" title={wakeText.asleep(noun)} />;
  }
  if (state === 'paused') return <Note tone="idle" title={wakeText.paused} />;
  if (state === 'failed') return <Note tone="failed" title={wakeText.failed} />;
  if (state !== 'pending' && state !== 'initializing' && state !== 'scaledToZero') return null;
  return (
    <div role="status">
      <Note tone="busy" title={waiting ? wakeText.waiting(noun) : wakeText.starting}>
        <EndpointMessage ownEndpoint={detail} />
        {report.progress && <StartSteps progress={report.progress} />}
      </Note>
    </div>
  );
}
