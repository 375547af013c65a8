import type { SecretKeeping } from '../../../daemon/contract/daemon.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { Section } from '../../parts/Section.tsx';
import { themes, useTheme } from '../../parts/use-theme.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StartupAppChooser } from '../robot/StartupApp.tsx';
import { CatalogSourceSection } from './CatalogSourceSection.tsx';
import { DownloadCacheSection } from './DownloadCacheSection.tsx';
import { HubAccountSection } from './HubAccountSection.tsx';
import { MailSection } from './MailSection.tsx';
import { SessionSection } from './SessionSection.tsx';
import './settings-page.css';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <div className="stack settings-page">
        <SessionSection />
        <HubAccountSection />
        <MailSection />
        <StartupAppSection />
        <AppearanceSection />
        <CatalogSourceSection />
        <DownloadCacheSection />
        <MachineSection />
      </div>
    </>
  );
}

/** Read-only facts about the daemon on this machine. */
function MachineSection() {
  const daemon = useDashboard((s) => s.daemon);
  if (!daemon) return null;
  const { python, secrets } = daemon;
  return (
    <Section title="This machine">
      <dl className="facts">
        <Fact name="Daemon">
          {daemon.version}, process {daemon.pid}
        </Fact>
        <Fact name="Apps and data" mono>
          {daemon.dataDir}
        </Fact>
        <Fact name="Python for apps">
          {python.state === 'ready' && `${python.version}, installs with ${python.installer}`}
          {python.state === 'looking' && 'searching…'}
          {python.state === 'missing' && `${python.reason} ${python.action}`}
        </Fact>
        {secrets && (
          <Fact name="Saved secrets">
            <KeptSecrets keeping={secrets} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}

function KeptSecrets({ keeping }: { readonly keeping: SecretKeeping }) {
  if (keeping.kept === 'keychain') return 'encrypted by the keychain of your system';
  return (
    <>
      encrypted with a key in the file <span className="mono">{keeping.file}</span>, which only you can read.{' '}
      {keeping.reason} {keeping.action}
    </>
  );
}

/** Chooses the theme, as the button in the rail does. */
function AppearanceSection() {
  const { theme, choose } = useTheme();
  return (
    <Section title="Appearance">
      <p className="muted">The theme of the dashboard, in this browser. System follows your desktop.</p>
      <Segments legend="Theme" name="theme" choices={themes} chosen={theme} onChoose={choose} />
    </Section>
  );
}

function StartupAppSection() {
  const hasApps = useDashboard((s) => s.installedApps.length > 0);
  return (
    <Section title="When the robot wakes up">
      <StartupAppChooser />
      {!hasApps && (
        <p className="muted small">
          No app is installed yet. <a href={hrefOf('apps', { tab: 'discover' })}>Discover apps</a>
        </p>
      )}
    </Section>
  );
}
