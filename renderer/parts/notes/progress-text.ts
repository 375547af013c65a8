import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import type { Transfer, WorkStep } from '../../../daemon/contract/common/progress.ts';
import type { Tone } from './StateWord.tsx';

/** A state for people: its word, and the kind that gives its shape and colour. */
export interface StateText {
  readonly word: string;
  readonly tone: Tone;
}

/** `Downloading 12.4 of 38 MB, 1.2 MB/s, 20 s left`. */
export function transferText({ doneBytes, totalBytes, bytesPerSecond, stalled }: Transfer): string {
  const amount = totalBytes === null ? byteText(doneBytes) : byteTextOf(doneBytes, totalBytes);
  if (stalled) return `Download stalled at ${amount}`;
  if (bytesPerSecond <= 0) return `Downloading ${amount}`;
  const left = totalBytes === null ? [] : [timeLeft((totalBytes - doneBytes) / bytesPerSecond)];
  return [`Downloading ${amount}`, `${byteText(bytesPerSecond)}/s`, ...left].join(', ');
}

/** Rounded, so that it does not flicker: `20 s left`, `3 min left`, `1 h 20 min left`. */
function timeLeft(seconds: number): string {
  if (seconds < 58) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${Math.max(1, minutes)} min left`;
  return `${Math.floor(minutes / 60)} h ${Math.floor((minutes % 60) / 10) * 10} min left`;
}

export const stepStateText: Readonly<Record<WorkStep['state'], StateText>> = {
  pending: { word: 'pending', tone: 'idle' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'done' },
  failed: { word: 'failed', tone: 'failed' },
  cancelled: { word: 'cancelled', tone: 'offline' },
};
