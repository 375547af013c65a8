import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { NeedsSection } from '../app-needs/NeedsSection.tsx';
import { AppReadme } from '../readme/Readme.tsx';
import { StartupAppSwitch } from '../robot/StartupApp.tsx';
import { AppSourceText } from '../versions/VersionsPanel.tsx';
import { PortNote } from './PortNote.tsx';

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
