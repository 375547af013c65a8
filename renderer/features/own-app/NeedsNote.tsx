import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { ChooseModelButton } from '../run/ChooseModelButton.tsx';

/** Leads to the choice of models for the needs of the app that have none. */
export function NeedsNote({ app: { name, needs } }: { readonly app: InstalledApp }) {
  const open = needs.filter(({ endpoint }) => endpoint === null);
  const [first] = open.toSorted((a, b) => Number(a.optional) - Number(b.optional));
  if (!first) return null;
  const isStopped = !first.optional;
  return (
    <Note
      tone={isStopped ? 'busy' : 'idle'}
      title={`${needsText(open)}.`}
      actions={
        <ChooseModelButton
          appName={name}
          need={first.name}
          label={open.length === 1 ? 'Choose a model' : 'Choose the models'}
        />
      }
    >
      <p>{isStopped ? 'It starts once an endpoint is chosen for it.' : 'It also runs without.'}</p>
    </Note>
  );
}
