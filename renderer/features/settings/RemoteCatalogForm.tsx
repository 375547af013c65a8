import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { problemAt } from '../../api/daemon-error.ts';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { ModelsIcon } from '../../parts/icons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import type { RemoteCatalog } from '../../slices/models/catalog-source-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const dialects = [
  {
    value: 'specification',
    label: 'Robot Desktop service',
    description: 'Another robot-daemon, or a service with the same API.',
  },
  { value: 'hub', label: 'Hub service', description: "The same API with the hub's own field names." },
] as const satisfies readonly { value: RemoteCatalog['dialect']; label: string; description: string }[];

/** Switches to a remote catalog; the daemon checks that it answers. */
export function RemoteCatalogForm() {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [dialect, setDialect] = useState<(typeof dialects)[number]['value']>('specification');
  const chooseRemoteCatalog = useDashboard((s) => s.chooseRemoteCatalog);
  const pending = useDashboard(isPending('catalog'));
  const changing = useDashboard(isPending('catalog', 'change'));
  const refusal = useDashboard(refusalOf('catalog'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  useEffect(() => () => dismissRefusal('catalog'), [dismissRefusal]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    void chooseRemoteCatalog({ url: url.trim(), dialect, ...(token.trim() && { token: token.trim() }) });
  }
  function change(write: () => void): void {
    dismissRefusal('catalog');
    write();
  }
  const [atUrl, atToken] = [problemAt(refusal, 'url'), problemAt(refusal, 'token')];
  return (
    <form className="stack remote-catalog" onSubmit={submit}>
      <CodeInput
        size="md"
        label="Address of the service"
        description="Ends in /api/v1."
        placeholder="https://…/api/v1"
        value={url}
        onChange={({ currentTarget }) => change(() => setUrl(currentTarget.value))}
        error={atUrl}
      />
      <CodeInput
        size="md"
        type="password"
        label="Token of the service"
        placeholder="None"
        leftSection={<ModelsIcon size={16} />}
        description="If it asks for one. Stored encrypted on this machine, never shown again."
        value={token}
        onChange={({ currentTarget }) => change(() => setToken(currentTarget.value))}
        error={atToken}
      />
      <RadioList legend="Kind of service" choices={dialects} chosen={dialect} onChoose={setDialect} />
      {refusal && atUrl === null && atToken === null && <Note tone="failed" urgent title={refusal.message} />}
      <div>
        <Button type="submit" variant="default" disabled={!connected || pending || url.trim() === ''}>
          {changing ? 'Connecting to the service…' : 'Use this catalog'}
        </Button>
      </div>
    </form>
  );
}
