import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { Details } from '../../parts/Details.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { NeedsSection } from '../app-needs/NeedsSection.tsx';
import { StartupAppSwitch } from '../robot/StartupApp.tsx';
import { AppSourceText } from '../versions/VersionsPanel.tsx';
import { sharedPortText } from './app-text.ts';

interface AppAboutProps {
  readonly app: InstalledApp;
  /** The need whose endpoint is to be chosen; null: none. */
  readonly need: string | null;
}

/** The choices that a user makes for an app, and which one it is; its technical facts are folded. */
export function AppAbout({ app, need }: AppAboutProps) {
  return (
    <div className="stack">
      {app.needs.length > 0 && <NeedsSection app={app} wanted={need} />}
      <div className="card stack">
        <StartupAppSwitch name={app.name} />
        <PortNote app={app} />
        <dl className="facts">
          <Fact name="Version">{app.version}</Fact>
          <Fact name="Source">
            <AppSourceText source={app.source} />
          </Fact>
          <Fact name="Installed">
            <TimeAgo at={app.installedAt} />
          </Fact>
        </dl>
        <Details>
          <dl className="facts">
            <Fact name="Package">
              <span className="mono">{app.distribution}</span>
            </Fact>
            <Fact name="Entry point">
              <span className="mono">
                {app.className} in {app.module}
              </span>
            </Fact>
            <Fact name="Python">
              {app.pythonVersion}
              {app.requiresPython && <span className="muted"> (requires {app.requiresPython})</span>}
            </Fact>
            {app.settingsPage && <Fact name="Settings page">port {app.settingsPage.port}, while the app runs</Fact>}
            {app.dependencies.length > 0 && (
              <Fact name="Dependencies">
                <span className="mono">{app.dependencies.join(', ')}</span>
              </Fact>
            )}
          </dl>
        </Details>
      </div>
    </div>
  );
}

/** Says which other apps declare the same settings port. */
function PortNote({ app }: { readonly app: InstalledApp }) {
  const { name, settingsPage, sharesPortWith } = app;
  if (!settingsPage || sharesPortWith.length === 0) return null;
  return <p className="small">{sharedPortText([name, ...sharesPortWith], settingsPage.port)}</p>;
}
