import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { NeedField } from './NeedField.tsx';
import { useNeedEndpoints } from './use-need-endpoints.ts';
import './app-needs.css';
import '../../parts/rows.css';

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
