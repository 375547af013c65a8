import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { NeedsSection } from '../app-needs/NeedsSection.tsx';
import { AppReadme } from '../readme/AppReadme.tsx';
import { StartupAppSwitch } from '../startup-app/StartupAppSwitch.tsx';
import { AppSourceText } from '../versions/AppSourceText.tsx';

interface AppAboutProps {
  readonly app: InstalledApp;
  /** The need whose endpoint is to be chosen; null: none. */
  readonly need: string | null;
}

export function AppAbout({ app, need }: AppAboutProps) {
  return (
    <div className="stack">
      {app.needs.length > 0 && <NeedsSection app={app} wanted={need} />}
      <div className="card stack">
        <Foreign as="p">{app.description}</Foreign>
        <StartupAppSwitch name={app.name} />
        <dl className="facts">
          <div>
            <dt>Version</dt>
            <dd>{app.version}</dd>
          </div>
          <div>
            <dt>Package</dt>
            <dd className="mono">{app.distribution}</dd>
          </div>
          <div>
            <dt>Entry point</dt>
            <dd className="mono">
              {app.className} in {app.module}
            </dd>
          </div>
          <div>
            <dt>Python</dt>
            <dd>
              {app.pythonVersion}
              {app.requiresPython && <span className="muted"> (requires {app.requiresPython})</span>}
            </dd>
          </div>
          {app.settingsPage && (
            <div>
              <dt>Settings page</dt>
              <dd>
                port {app.settingsPage.port}, while the app runs
                <PortNote app={app} />
              </dd>
            </div>
          )}
          {app.dependencies.length > 0 && (
            <div>
              <dt>Dependencies</dt>
              <dd className="mono">{app.dependencies.join(', ')}</dd>
            </div>
          )}
          <div>
            <dt>Source</dt>
            <dd>
              <AppSourceText source={app.source} />
            </dd>
          </div>
          <div>
            <dt>Installed</dt>
            <dd>
              <TimeAgo at={app.installedAt} />
            </dd>
          </div>
        </dl>
      </div>
      <AppReadme app={app} />
    </div>
  );
}

/** Says which other apps declare the same settings port. */
function PortNote({ app }: { readonly app: InstalledApp }) {
  const { name, settingsPage, sharesPortWith } = app;
  if (!settingsPage || sharesPortWith.length === 0) return null;
  const others = sharesPortWith.slice(0, -1);
  const all = [[name, ...others].join(', '), sharesPortWith.at(-1)].join(' and ');
  return (
    <p className="small">
      {all} {sharesPortWith.length === 1 ? 'both' : 'all'} use port {settingsPage.port}; only the running one's page
      opens.
    </p>
  );
}
