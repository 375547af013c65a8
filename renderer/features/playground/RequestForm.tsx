import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { addressInPage } from '../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../endpoint-requests/WakeNote.tsx';
import { type RawReply, sendRequest } from './model-request.ts';

interface RequestFormProps<T> {
  readonly detail: EndpointDetail;
  readonly name: string;
  readonly action: string;
  readonly method?: string;
  /** The path within the endpoint. */
  readonly path: string;
  /** null: none */
  readonly body: string | null;
  /** Whether the fields are filled in. */
  readonly isReady: boolean;
  readonly onSend?: () => void;
  /** Makes the result of a reply, or throws an Error with a sentence. */
  readonly read: (reply: RawReply) => T;
  /** The result in short, beside the button. */
  readonly inShort?: (result: T) => ReactNode;
  readonly inFull?: (result: T) => ReactNode;
  readonly children: ReactNode;
}

/** A form that sends a request to an endpoint, and shows the result and the request as code. */
export function RequestForm<T>(props: RequestFormProps<T>) {
  const { detail, name, action, method = 'POST', path, body, isReady, onSend, read, inShort, inFull, children } = props;
  const { url } = detail.endpoint.status;
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, result, error, send, stop } = useSending(read);
  const connected = useDashboard(isConnected);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) stop();
    else if (isReady) {
      onSend?.();
      send({ method, url: addressInPage(url) + path, body });
    }
  }
  return (
    <form className="card stack" aria-label={name} onSubmit={submit}>
      {children}
      <WakeNote detail={detail} noun="request" waiting={isBusy} />
      <div className={inShort && 'row'}>
        <Button type="submit" disabled={!isBusy && (!connected || !isReady)}>
          {isBusy ? 'Stop' : action}
        </Button>
        {inShort && <p role="status">{result !== null && inShort(result)}</p>}
      </div>
      {error !== null && <Note tone="failed" urgent title={error} />}
      {result !== null && inFull?.(result)}
      <RequestAsCode
        request={{ method, url: url + path, body, needsToken: detail.endpoint.type !== 'public' }}
        isOpen={isOpen}
        onOpen={setIsOpen}
      />
    </form>
  );
}

interface Sending<T> {
  readonly isBusy: boolean;
  readonly result: T | null;
  /** Why the last request failed, in a sentence; null: it did not. */
  readonly error: string | null;
}

const idle = { isBusy: false, result: null, error: null };

/** Sends one request at a time. */
function useSending<T>(read: (reply: RawReply) => T) {
  const [state, setState] = useState<Sending<T>>(idle);
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
  function stop(): void {
    abort.current?.abort();
    setState(idle);
  }
  return { ...state, send: (request: Parameters<typeof run>[0]) => void run(request), stop };
}
