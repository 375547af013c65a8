import { type FormEvent, useEffect, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { Section } from '../../parts/Section.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
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
    <Section title="Pages that may use it">
      <p className="muted small">
        A web page at another address may send requests here if you list its origin.{' '}
        {type === 'public' ? '* lists every page.' : 'It sends a token, as a program does.'} The page of a running app
        that has this model needs no entry.
      </p>
      {origins.length > 0 && (
        <ul className="rows" aria-label="Pages that may use it">
          {origins.map((origin) => (
            <li key={origin} className="page-row">
              <span className="mono page-origin">{origin}</span>
              <SendButton
                disabled={pending}
                onClick={() => void list(origins.filter((each) => each !== origin))}
                aria-label={`Remove ${origin}`}
              >
                Remove
              </SendButton>
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
          <SendButton disabled={pending || typed.trim() === ''} primary type="submit">
            Add
          </SendButton>
        </div>
      </form>
    </Section>
  );
}
