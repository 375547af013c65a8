import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { RemoveIcon } from '../../parts/icons.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from './RemoveAppDialog.tsx';
import { VariablesSection } from './VariablesSection.tsx';
import './app-settings.css';

interface AppSettingsPanelProps {
  readonly app: InstalledApp;
  /** The variable to set, whose form is open at first; null: none. */
  readonly wanted?: string | null;
}

export function AppSettingsPanel({ app, wanted = null }: AppSettingsPanelProps) {
  return (
    <div className="stack">
      <VariablesSection key={wanted} appName={app.name} wanted={wanted} />
      <RemoveSection app={app} />
    </div>
  );
}

function RemoveSection({ app }: { readonly app: InstalledApp }) {
  const [confirming, setConfirming] = useState(false);
  const connected = useDashboard(isConnected);
  return (
    <section className="card stack" aria-labelledby="remove-app">
      <h2 id="remove-app">Remove</h2>
      <div className="row">
        <Button
          variant="default"
          leftSection={<RemoveIcon size={16} />}
          disabled={!connected}
          onClick={() => setConfirming(true)}
        >
          Remove {app.name}…
        </Button>
        <span className="muted small">Asks first, and shows what is deleted.</span>
      </div>
      <RemoveAppDialog app={app} opened={confirming} onClose={() => setConfirming(false)} />
    </section>
  );
}
