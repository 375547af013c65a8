import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import type { Asked } from '../../store/use-asked.ts';
import { useAskedOfEndpoints } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';
import { NeedField } from './NeedField.tsx';
import { appliesText } from './need-text.ts';
import '../../parts/rows.css';
import './app-needs.css';

interface NeedsSectionProps {
  readonly app: Pick<InstalledApp, 'name' | 'needs'>;
  /** The need whose field gets the focus; null: none. */
  readonly wanted: string | null;
}

/** Lists the models that an app uses, each with the endpoint that serves it. */
export function NeedsSection({ app: { name, needs }, wanted }: NeedsSectionProps) {
  const endpoints = useNeedEndpoints();
  const signedIn = useSignedIn();
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  // So that the same link focuses the field again.
  const onFocused = () => replaceAddress(hrefOf('apps', { appName: name, tab: 'about' }));
  return (
    <Section title="Models it uses">
      <p className="muted">{appliesText(running)}</p>
      {endpoints.error && (
        <FailedNote error={endpoints.error} title="The endpoints could not be loaded" onRetry={endpoints.again} />
      )}
      {signedIn === false && (
        <section className="stack" aria-labelledby="needs-sign-in">
          <h3 id="needs-sign-in">Sign in to choose</h3>
          <SignInForm />
        </section>
      )}
      <ul className="rows" aria-label="Models it uses">
        {needs.map((need) => (
          <NeedField
            key={need.name}
            appName={name}
            need={need}
            endpoints={endpoints.value}
            mayChange={signedIn === true}
            isWanted={need.name === wanted && signedIn === true}
            onFocused={onFocused}
          />
        ))}
      </ul>
    </Section>
  );
}

const PAGE_ENDPOINTS = 100;
/** More cannot be chosen from in a list. */
const MAX_PAGES = 5;

/** The endpoints to choose from, newest first; asked for again when one changes. */
function useNeedEndpoints(): Asked<readonly OwnEndpoint[]> {
  return useAskedOfEndpoints<readonly OwnEndpoint[]>(['need-endpoints'], async (call, signal) => {
    const found: OwnEndpoint[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = { name: undefined, state: undefined, page, limit: PAGE_ENDPOINTS };
      const listing = await call('listOwnEndpoints', { query, signal });
      found.push(...listing.endpoints);
      if (page >= listing.pages) break;
    }
    return found;
  });
}
