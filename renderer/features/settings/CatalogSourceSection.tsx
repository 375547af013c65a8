import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { CatalogSourceStatus } from '../../../daemon/contract/catalog/models.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { SecretIcon } from '../../parts/icons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { catalogHelp, catalogKinds, embeddedCatalogText } from './settings-text.ts';

export function CatalogSourceSection() {
  const source = useDashboard((s) => s.catalogSource);
  if (!source) return null;
  return (
    <Section title="Model catalog">
      {source.problem !== null && <Note tone="failed" title={source.problem} />}
      {source.kind === 'remote' ? (
        <Remote source={source} />
      ) : (
        <>
          <p>{embeddedCatalogText(source.total)}</p>
          <RemoteCatalogForm />
        </>
      )}
    </Section>
  );
}

function Remote({ source: { url, hasToken, fetchedAt, total } }: { readonly source: CatalogSourceStatus }) {
  const { pending } = useCommand('catalog');
  return (
    <>
      <dl className="facts">
        <Fact name="Service" mono>
          {url}
        </Fact>
        <Fact name="Token">{hasToken ? 'stored encrypted, not shown' : 'none'}</Fact>
        <Fact name="Models">{total.toLocaleString()}</Fact>
        <Fact name="Loaded">{fetchedAt === null ? 'not yet' : <TimeAgo at={fetchedAt} />}</Fact>
      </dl>
      <RefusalNote commandKey="catalog" stays />
      <div className="row">
        <SendButton
          commandKey="catalog"
          command="refresh"
          busy="Loading…"
          size="sm"
          disabled={pending}
          sends={(call) => call('refreshCatalog')}
        >
          Refresh
        </SendButton>
        <SendButton
          commandKey="catalog"
          command="change"
          size="sm"
          disabled={pending}
          sends={(call) => call('useShippedCatalog')}
        >
          Use the built-in catalog
        </SendButton>
        <span className="muted small">{catalogHelp.embedded}</span>
      </div>
    </>
  );
}

/** Switches to a remote catalog; the daemon checks that it answers. */
function RemoteCatalogForm() {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [dialect, setDialect] = useState<(typeof catalogKinds)[number]['value']>('specification');
  const send = useDashboard((s) => s.send);
  const { blocked } = useCommand('catalog');
  const changing = useDashboard(isPending('catalog', 'change'));
  const refusal = useDashboard(refusalOf('catalog'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  useEffect(() => () => dismissRefusal('catalog'), [dismissRefusal]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const body = { url: url.trim(), dialect, ...(token.trim() && { token: token.trim() }) };
    void send('catalog', (call) => call('useRemoteCatalog', { body }), 'change');
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
        description={catalogHelp.address}
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
        leftSection={<SecretIcon size={16} />}
        description={catalogHelp.token}
        value={token}
        onChange={({ currentTarget }) => change(() => setToken(currentTarget.value))}
        error={atToken}
      />
      <RadioList legend="Kind of service" choices={catalogKinds} chosen={dialect} onChoose={setDialect} />
      {refusal && atUrl === null && atToken === null && <Note tone="failed" urgent title={refusal.message} />}
      <div>
        <Button type="submit" variant="default" disabled={blocked || url.trim() === ''}>
          {changing ? 'Connecting to the service…' : 'Use this catalog'}
        </Button>
      </div>
    </form>
  );
}
