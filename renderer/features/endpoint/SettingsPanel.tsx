import { type FormEvent, useEffect, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { cacheText } from '../../../daemon/contract/endpoints/use-text.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppsUsing } from '../endpoints/AppsUsing.tsx';
import { ChatTemplateSelect } from '../endpoints/ChatTemplateSelect.tsx';
import { NotificationSwitches } from '../notifications/NotificationSwitches.tsx';
import { appPagesText, cachedText, cacheHelp, noCachedText, originHelp, pagesText } from './endpoint-page-text.ts';
import { ScalingForm } from './ScalingForm.tsx';
import '../../parts/rows.css';
import './endpoint-page.css';

/** The settings of an endpoint that can be changed in place, and the apps that use it. */
export function SettingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  const { llamacpp } = endpoint.model.image;
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const { blocked } = useCommand(endpointSettingsKey(detail));
  return (
    <div className="stack">
      <ScalingForm detail={detail} />
      {llamacpp && !llamacpp.mode && <ChatTemplateForm key={llamacpp.chatTemplate} detail={detail} image={llamacpp} />}
      <PagesSection detail={detail} />
      <CacheSection detail={detail} />
      <Section title="Notifications">
        <NotificationSwitches
          chosen={endpoint.notifications}
          disabled={blocked}
          onChange={(notifications) => void changeEndpoint(detail, { notifications })}
        />
      </Section>
      <Section title="Apps that use it">
        <AppsUsing of={{ namespace, name: endpoint.name }} />
      </Section>
    </div>
  );
}

/** The origins of the web pages that may use an endpoint: one is added or removed at once. */
function PagesSection({ detail }: { readonly detail: EndpointDetail }) {
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
  const originsWithout = (origin: string) => origins.filter((each) => each !== origin);
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await list([...origins, typed.trim()])) setTyped('');
  }
  return (
    <Section title="Pages that may use it">
      <p className="muted small">
        {pagesText(type)} {appPagesText}
      </p>
      {origins.length > 0 && (
        <ul className="rows" aria-label="Pages that may use it">
          {origins.map((origin) => (
            <li key={origin} className="page-row">
              <span className="mono page-origin">{origin}</span>
              <SendButton
                disabled={pending}
                onClick={() => void list(originsWithout(origin))}
                copies={changeAction(detail, { allowedOrigins: originsWithout(origin) })}
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
          description={originHelp}
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
          <SendButton
            disabled={pending || typed.trim() === ''}
            copies={changeAction(detail, { allowedOrigins: [...origins, typed.trim()] })}
            primary
            type="submit"
          >
            Add
          </SendButton>
        </div>
      </form>
    </Section>
  );
}

/** Switches the cache of answers at once, and says how many it gave. */
function CacheSection({ detail }: { readonly detail: EndpointDetail }) {
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const { blocked } = useCommand(endpointSettingsKey(detail));
  const given = cacheText(detail.traffic);
  return (
    <Section title="Cache">
      <DescribedSwitch
        name="Keep answers"
        isOn={detail.endpoint.cacheHttpResponses}
        disabled={blocked}
        onSwitch={(cacheHttpResponses) => void changeEndpoint(detail, { cacheHttpResponses })}
        copies={changeAction(detail, { cacheHttpResponses: !detail.endpoint.cacheHttpResponses })}
      >
        {cacheHelp}
      </DescribedSwitch>
      <p className="muted small">{given === null ? noCachedText : cachedText(given)}</p>
    </Section>
  );
}

/** The change of an endpoint that a control makes. */
const changeAction = ({ namespace, endpoint: { name } }: EndpointDetail, body: EndpointChange) =>
  callAction('Change', 'updateEndpoint', { params: { namespace, name }, body });

interface ChatTemplateFormProps {
  readonly detail: EndpointDetail;
  readonly image: NonNullable<EndpointDetail['endpoint']['model']['image']['llamacpp']>;
}

/** Chooses the template that makes a prompt of a chat; of endpoints that llama.cpp serves and that have chats. */
function ChatTemplateForm({ detail, image }: ChatTemplateFormProps) {
  const stored = image.chatTemplate ?? null;
  const commandKey = endpointSettingsKey(detail);
  const [chosen, setChosen] = useState(stored);
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const model = { image: { llamacpp: { ...image, chatTemplate: chosen } } };
  function submit(event: FormEvent): void {
    event.preventDefault();
    void changeEndpoint(detail, { model }, 'template');
  }
  return (
    <form className="card stack" aria-label="Chat template" onSubmit={submit}>
      <h2>Chat template</h2>
      <ChatTemplateSelect chosen={chosen} onChoose={setChosen} />
      <RefusalNote commandKey={commandKey} commands={['template']} stays />
      <div>
        <SendButton
          commandKey={commandKey}
          disabled={chosen === stored}
          copies={changeAction(detail, { model })}
          primary
          type="submit"
        >
          Save the template
        </SendButton>
      </div>
    </form>
  );
}
