import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import '../../parts/rows.css';
import './endpoint-page.css';

/** The origins of the web pages that may use an endpoint: one is added or removed at once. */
export function PagesSection({ detail }: { readonly detail: EndpointDetail }) {
  const { type, allowedOrigins } = detail.endpoint;
  const commandKey = endpointSettingsKey(detail);
  const [typed, setTyped] = useState('');
  // The daemon has accepted it, and the detail that shows it is on its way: the next change must not undo it.
  const [accepted, setAccepted] = useState({ instead: allowedOrigins, origins: allowedOrigins });
  const origins = accepted.instead === allowedOrigins ? accepted.origins : allowedOrigins;
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf(commandKey, ['pages']));
  const pending = useDashboard(isPending(commandKey));
  const connected = useDashboard(isConnected);
  useEffect(() => () => dismissRefusal(commandKey), [dismissRefusal, commandKey]);
  async function list(changed: string[]): Promise<boolean> {
    const isAccepted = await changeEndpoint(detail, { allowedOrigins: changed }, 'pages');
    if (isAccepted) setAccepted({ instead: allowedOrigins, origins: changed });
    return isAccepted;
  }
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await list([...origins, typed.trim()])) setTyped('');
  }
  return (
    <section className="card stack" aria-labelledby="endpoint-pages">
      <h2 id="endpoint-pages">Pages that may use it</h2>
      <p className="muted small">
        {type === 'public'
          ? 'A web page at another address may send requests here if you list its origin. * lists every page.'
          : 'A web page at another address may send requests here if you list its origin. It sends a token, as a program does.'}{' '}
        The page of a running app that has this model needs no entry.
      </p>
      {origins.length > 0 && (
        <ul className="rows" aria-labelledby="endpoint-pages">
          {origins.map((origin) => (
            <li key={origin} className="page-row">
              <span className="mono page-origin">{origin}</span>
              <Button
                variant="default"
                size="compact-sm"
                disabled={!connected || pending}
                onClick={() => void list(origins.filter((each) => each !== origin))}
                aria-label={`Remove ${origin}`}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className="stack" onSubmit={(event) => void add(event)} noValidate>
        <CodeInput
          label="Origin"
          description="Scheme, host and port."
          placeholder="http://localhost:5173"
          value={typed}
          onChange={({ currentTarget }) => {
            dismissRefusal(commandKey);
            setTyped(currentTarget.value);
          }}
          error={problemAt(refusal, 'allowedOrigins') ?? refusal?.message}
          inputMode="url"
        />
        <div className="row">
          <Button type="submit" disabled={!connected || pending || typed.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </section>
  );
}
