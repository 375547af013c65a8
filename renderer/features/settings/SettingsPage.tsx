import type { SecretKeeping } from '../../../daemon/contract/daemon.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { CatalogSourceSection } from './CatalogSourceSection.tsx';
import { DownloadCacheSection } from './DownloadCacheSection.tsx';
import { HubAccountSection } from './HubAccountSection.tsx';
import { MailSection } from './MailSection.tsx';
import { SessionSection } from './SessionSection.tsx';
import { StartupAppSection } from './StartupAppSection.tsx';
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
    <section className="card stack" aria-labelledby="this-machine">
      <h2 id="this-machine">This machine</h2>
      <dl className="facts">
        <div>
          <dt>Daemon</dt>
          <dd>
            {daemon.version}, process {daemon.pid}
          </dd>
        </div>
        <div>
          <dt>Apps and data</dt>
          <dd className="mono">{daemon.dataDir}</dd>
        </div>
        <div>
          <dt>Python for apps</dt>
          <dd>
            {python.state === 'ready' && `${python.version}, installs with ${python.installer}`}
            {python.state === 'looking' && 'searching…'}
            {python.state === 'missing' && `${python.reason} ${python.action}`}
          </dd>
        </div>
        {secrets && (
          <div>
            <dt>Saved secrets</dt>
            <dd>
              <KeptSecrets keeping={secrets} />
            </dd>
          </div>
        )}
      </dl>
    </section>
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
