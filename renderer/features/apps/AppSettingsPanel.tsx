import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import { RemoveIcon } from '../../parts/icons.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';
import { PortNote } from './PortNote.tsx';
import { RemoveAppDialog } from './RemoveAppDialog.tsx';
import { SettingsLink } from './SettingsLink.tsx';
import { VariablesSection } from './VariablesSection.tsx';
import './app-settings.css';

/** What the user sets for an app, beside the app's own page; and its end. */
export function AppSettingsPanel({ app }: { readonly app: InstalledApp }) {
  return (
    <div className="stack">
      {app.settingsPage && (
        <section className="card stack" aria-labelledby="own-page">
          <h2 id="own-page">Its own page</h2>
          <p className="muted">
            {app.title} has a page of its own, at port {app.settingsPage.port} while it runs.
          </p>
          <PortNote app={app} />
          <div className="row">
            <SettingsLink app={app} />
          </div>
        </section>
      )}
      <VariablesSection appName={app.name} />
      <RemoveSection app={app} />
    </div>
  );
}

function RemoveSection({ app }: { readonly app: InstalledApp }) {
  const [asking, setAsking] = useState(false);
  const connected = useDashboard(isConnected);
  return (
    <section className="card stack" aria-labelledby="remove-app">
      <h2 id="remove-app">Remove</h2>
      <div className="row">
        <Button
          variant="default"
          leftSection={<RemoveIcon size={16} />}
          disabled={!connected}
          onClick={() => setAsking(true)}
        >
          Remove {app.name}…
        </Button>
        <span className="muted small">Says first what goes with it.</span>
      </div>
      <RemoveAppDialog app={app} opened={asking} onClose={() => setAsking(false)} />
    </section>
  );
}
