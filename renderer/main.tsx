// First, so that the components' styles come after Mantine's.
import './theme/styles.ts';

import { MantineProvider } from '@mantine/core';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { CallName } from '../daemon/client/calls.ts';
import { createDaemonClient } from '../daemon/client/daemon-client.ts';
import { App } from './App.tsx';
import { DaemonEvents } from './api/daemon-events.ts';
import { returnAfterSignIn } from './navigation/return-page.ts';
import { createDashboardStore, fetchMissing } from './store/dashboard-store.ts';
import { DashboardContext } from './store/use-dashboard.ts';
import { colorSchemeManager, cssVariables, theme } from './theme/theme.ts';

returnAfterSignIn();

/** Those of the contract: see vite.config.ts. */
declare const DAEMON_ADDRESSES: Readonly<Record<CallName, string>>;

const events = new DaemonEvents();
// No deadlines: the events tell whether the daemon works, and then its reply may take its time.
const addresses = DAEMON_ADDRESSES;
const store = createDashboardStore({ daemon: createDaemonClient({ addresses }), addresses, events });
fetchMissing(store);

/** After this time, the page says that it is connecting. */
const WAIT_MS = 1_000;

const known = somethingKnown();
events.start(store.getState());

// The daemon's content security policy allows only styles that carry this page's nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
const reactRoot = createRoot(root);
void known.then(() =>
  // In slices: a slow machine stays usable meanwhile.
  startTransition(() =>
    reactRoot.render(
      <StrictMode>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          colorSchemeManager={colorSchemeManager}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <DashboardContext value={store}>
            <App />
          </DashboardContext>
        </MantineProvider>
      </StrictMode>,
    ),
  ),
);

/**
 * Waits for the first snapshot, or for the reason why there is none: until then index.html shows an empty frame, and to
 * draw a page that knows nothing would take as long again.
 */
function somethingKnown(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, WAIT_MS);
  const unsubscribe = store.subscribe(({ daemon, connection }) => {
    if (daemon !== null || connection.phase !== 'connecting') resolve();
  });
  return promise.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}
