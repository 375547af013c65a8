import type { ServerResponse } from 'node:http';
import type { AnswerHeaders } from './response-headers.ts';

/** Watches an answer pass to the caller. */
export interface AnswerWatcher {
  /** The head was taken over: `response` has the headers that pass. @param headers those of the model server */
  head(status: number, response: ServerResponse, headers: AnswerHeaders): void;
  data(chunk: Buffer): void;
}
