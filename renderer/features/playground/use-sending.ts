import { useEffect, useRef, useState } from 'react';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type RawReply, sendRequest } from './model-request.ts';

export interface Sending<T> {
  readonly isBusy: boolean;
  readonly result: T | null;
  /** Why the last request failed, in a sentence; null: it did not. */
  readonly error: string | null;
  readonly send: (request: Parameters<typeof sendRequest>[0]) => void;
  readonly stop: () => void;
}

/** Sends one request at a time. @param read makes the result of a reply, or throws an Error with a sentence */
export function useSending<T>(read: (reply: RawReply) => T): Sending<T> {
  const [state, setState] = useState<Pick<Sending<T>, 'isBusy' | 'result' | 'error'>>(idle);
  const abort = useRef<AbortController | null>(null);
  const loadSession = useDashboard((s) => s.loadSession);
  useEffect(() => () => abort.current?.abort(), []);
  async function run(request: Parameters<typeof sendRequest>[0]): Promise<void> {
    abort.current?.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    setState({ ...idle, isBusy: true });
    try {
      const reply = await sendRequest(request, signal);
      if (reply.status === 401) void loadSession();
      setState({ isBusy: false, result: read(reply), error: null });
    } catch (error) {
      if (!signal.aborted) setState({ ...idle, error: (error as Error).message });
    }
  }
  return {
    ...state,
    send: (request) => void run(request),
    stop: () => {
      abort.current?.abort();
      setState(idle);
    },
  };
}

const idle = { isBusy: false, result: null, error: null };
