import { useEffect, useRef } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { type Asked, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { NeedField } from './NeedField.tsx';
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
  const loadSession = useDashboard((s) => s.loadSession);
  const signedIn = useDashboard(isSignedIn);
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  useWhenConnected(loadSession, '');
  // So that the same link focuses the field again.
  const onFocused = () => switchTab(hrefOf('apps', { appName: name, tab: 'about' }));
  return (
    <section className="card stack" aria-labelledby="models-used">
      <h2 id="models-used">Models it uses</h2>
      <p className="muted">
        Applies at the app’s next start.{running && ' It is running: restart it to apply a change.'}
      </p>
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
    </section>
  );
}

const PAGE_ENDPOINTS = 100;
/** More cannot be chosen from in a list. */
const MAX_PAGES = 5;
/** A download changes an endpoint several times a second. */
const ASK_AGAIN_MS = 500;

/** The endpoints to choose from, newest first; asked for again when one changes. */
function useNeedEndpoints(): Asked<readonly OwnEndpoint[]> {
  const asked = useAsked<readonly OwnEndpoint[]>(['need-endpoints'], async (call, signal) => {
    const found: OwnEndpoint[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = { name: undefined, state: undefined, page, limit: PAGE_ENDPOINTS };
      const listing = await call('listOwnEndpoints', { query, signal });
      found.push(...listing.endpoints);
      if (page >= listing.pages) break;
    }
    return found;
  });
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  useAgain(revision, asked.again);
  return asked;
}

/** Asks again after a change of `revision`, at most twice a second. */
function useAgain(revision: number, again: () => void): void {
  const asked = useRef({ revision, atMs: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    if (asked.current.revision === revision) return;
    const waitMs = asked.current.atMs + ASK_AGAIN_MS - performance.now();
    const ask = () => {
      asked.current = { revision, atMs: performance.now() };
      again();
    };
    const timer = setTimeout(ask, Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [revision]);
}
