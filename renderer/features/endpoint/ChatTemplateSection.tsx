import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChatTemplateSelect } from '../endpoints/ChatTemplateSelect.tsx';

/** Chooses the template that makes a prompt of a chat; of endpoints that llama.cpp serves and that have chats. */
export function ChatTemplateSection({ detail }: { readonly detail: EndpointDetail }) {
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
  const refusal = useDashboard(refusalOf(commandKey, ['template']));
  const pending = useDashboard(isPending(commandKey));
  const connected = useDashboard(isConnected);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const model = { image: { llamacpp: { ...image, chatTemplate: chosen } } };
    void changeEndpoint(detail, { model }, 'template');
  }
  return (
    <form className="card stack" aria-label="Chat template" onSubmit={submit}>
      <h2>Chat template</h2>
      <ChatTemplateSelect chosen={chosen} onChoose={setChosen} />
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      <div>
        <Button type="submit" disabled={!connected || pending || chosen === stored} loading={pending}>
          Save the template
        </Button>
      </div>
    </form>
  );
}
