import { Switch } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { cacheText } from '../../../daemon/contract/endpoints/use-text.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppsUsing } from '../endpoints/AppsUsing.tsx';
import { ChatTemplateSelect } from '../endpoints/ChatTemplateSelect.tsx';
import { NotificationSwitches } from '../notifications/NotificationSwitches.tsx';
import { PagesSection } from './PagesSection.tsx';
import { ScalingForm } from './ScalingForm.tsx';

/** The settings of an endpoint that can be changed in place, and the apps that use it. */
export function SettingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  return (
    <div className="stack">
      <ScalingForm detail={detail} />
      <ChatTemplateSection detail={detail} />
      <PagesSection detail={detail} />
      <CacheSection detail={detail} />
      <NotificationsSection detail={detail} />
      <Section title="Apps that use it">
        <AppsUsing of={{ namespace, name: endpoint.name }} none="No installed app uses it." />
      </Section>
    </div>
  );
}

/** A switch applies at once. */
function NotificationsSection({ detail }: { readonly detail: EndpointDetail }) {
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const pending = useDashboard(isPending(endpointSettingsKey(detail)));
  const connected = useDashboard(isConnected);
  return (
    <Section title="Notifications">
      <NotificationSwitches
        chosen={detail.endpoint.notifications}
        disabled={!connected || pending}
        onChange={(notifications) => void changeEndpoint(detail, { notifications })}
      />
    </Section>
  );
}

/** Switches the cache of answers at once, and says how many it gave. */
function CacheSection({ detail }: { readonly detail: EndpointDetail }) {
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const pending = useDashboard(isPending(endpointSettingsKey(detail)));
  const connected = useDashboard(isConnected);
  const textId = useId();
  const given = cacheText(detail.traffic);
  return (
    <Section title="Cache">
      <Switch
        label="Keep answers"
        aria-label="Keep answers"
        aria-describedby={textId}
        description={
          <span id={textId}>
            The same request gets the same answer, at once and without waking the model. An answer is kept until nobody
            has asked for it for an hour. Streamed ones are not kept.
          </span>
        }
        checked={detail.endpoint.cacheHttpResponses}
        disabled={!connected || pending}
        onChange={({ currentTarget }) => void changeEndpoint(detail, { cacheHttpResponses: currentTarget.checked })}
      />
      {given !== null && <p className="muted small">Answered {given} since the daemon started.</p>}
    </Section>
  );
}

/** Chooses the template that makes a prompt of a chat; of endpoints that llama.cpp serves and that have chats. */
function ChatTemplateSection({ detail }: { readonly detail: EndpointDetail }) {
  const { llamacpp } = detail.endpoint.model.image;
  if (!llamacpp || llamacpp.mode) return null;
  const stored = llamacpp.chatTemplate ?? null;
  return <ChatTemplateForm key={stored} detail={detail} image={llamacpp} stored={stored} />;
}

type Image = NonNullable<EndpointDetail['endpoint']['model']['image']['llamacpp']>;

interface ChatTemplateFormProps {
  readonly detail: EndpointDetail;
  readonly image: Image;
  readonly stored: NonNullable<Image['chatTemplate']> | null;
}

function ChatTemplateForm({ detail, image, stored }: ChatTemplateFormProps) {
  const commandKey = endpointSettingsKey(detail);
  const [chosen, setChosen] = useState(stored);
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const model = { image: { llamacpp: { ...image, chatTemplate: chosen } } };
    void changeEndpoint(detail, { model }, 'template');
  }
  return (
    <form className="card stack" aria-label="Chat template" onSubmit={submit}>
      <h2>Chat template</h2>
      <ChatTemplateSelect chosen={chosen} onChoose={setChosen} />
      <RefusalNote commandKey={commandKey} commands={['template']} stays />
      <div>
        <SendButton commandKey={commandKey} disabled={chosen === stored} primary type="submit">
          Save the template
        </SendButton>
      </div>
    </form>
  );
}
