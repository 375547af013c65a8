import { useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import type { DownloadCache } from '../../../daemon/contract/apps/apps.ts';
import type { HubAccount } from '../../../daemon/contract/apps/store.ts';
import { isInWindow } from '../../navigation/in-window.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { RemoveIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { Section } from '../../parts/Section.tsx';
import { themes } from '../../parts/themes.ts';
import { isPending } from '../../slices/base/commands.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StartupAppChooser } from '../robot/StartupApp.tsx';
import { HubSignInForm } from '../session/SignInForm.tsx';
import { CatalogSourceSection } from './CatalogSourceSection.tsx';
import { DesktopSection } from './DesktopSection.tsx';
import { GraphicsCardSection } from './GraphicsCardSection.tsx';
import { MailSection } from './MailSection.tsx';
import { RestartSection } from './RestartSection.tsx';
import { SessionSection } from './SessionSection.tsx';
import {
  cacheText,
  freedText,
  hubSignOutHelp,
  hubTokenHelp,
  newHubTokenText,
  pruneHelp,
  themeText,
  troubleText,
} from './settings-text.ts';
import { TokensSection } from './TokensSection.tsx';
import './settings-page.css';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <div className="stack settings-page">
        <SessionSection />
        <TokensSection />
        <HubAccountSection />
        <MailSection />
        <StartupAppSection />
        {isInWindow && <DesktopSection />}
        <AppearanceSection />
        <CatalogSourceSection />
        <GraphicsCardSection />
        <DownloadCacheSection />
        <MachineSection />
        <RestartSection />
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
            {secrets.kept === 'keychain' ? (
              'encrypted by the keychain of your system'
            ) : (
              <>
                encrypted with a key in the file <span className="mono">{secrets.file}</span>, which only you can read.{' '}
                {secrets.reason} {secrets.action}
              </>
            )}
          </Fact>
        )}
      </dl>
      <p className="muted small">
        {troubleText} <a href={hrefOf('help')}>Check this installation, or report a problem</a>
      </p>
    </Section>
  );
}

/** Chooses the theme, as the button in the rail does. */
function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance">
      <p className="muted">{themeText}</p>
      <Segments legend="Theme" choices={themes} chosen={colorScheme} onChoose={setColorScheme} />
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

const DOWNLOADS = ['download-cache'];

/** The disk space of the downloads that installs keep, which can be freed. */
function DownloadCacheSection() {
  const asked = useAsked<DownloadCache>(DOWNLOADS, (call, signal) => call('getDownloadCache', { signal }));
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const pending = useDashboard(isPending('download-cache'));
  const [freed, setFreed] = useState<number | null>(null);
  const cache = asked.value;
  async function prune(): Promise<void> {
    setFreed(null);
    const pruned = await send('download-cache', (call) => call('pruneDownloadCache'));
    if (!pruned) return;
    const { freedBytes, ...left } = pruned;
    setAnswer(DOWNLOADS, left);
    setFreed(freedBytes);
  }
  return (
    <Section title="Downloads of installs">
      <LoadedPart of={asked} failure="The downloads could not be counted" rows={1}>
        {(value) => <p>{cacheText(value)}</p>}
      </LoadedPart>
      <RefusalNote commandKey="download-cache" />
      <div className="row">
        <SendButton
          commandKey="download-cache"
          size="sm"
          leftSection={<RemoveIcon size={16} />}
          disabled={cache === null || cache.bytes === 0}
          onClick={() => void prune()}
          copies={callAction('Remove the downloads', 'pruneDownloadCache')}
        >
          Remove the downloads
        </SendButton>
        <span className="muted small" role="status">
          {pending ? 'Removing…' : freed !== null ? freedText(freed, cache !== null && cache.bytes > 0) : pruneHelp}
        </span>
      </div>
    </Section>
  );
}

function HubAccountSection() {
  const account = useDashboard((s) => s.hubAccount);
  if (!account) return null;
  return (
    <Section title="Hub account">
      {account.problem !== null && (
        <Note tone="failed" title={account.problem}>
          {account.name !== null && <p>{newHubTokenText}</p>}
        </Note>
      )}
      {account.name === null ? (
        <HubSignInForm description={hubTokenHelp}>
          To see private apps, sign in to {account.hub ? <span className="mono">{account.hub}</span> : 'the hub'} with
          an access token.
        </HubSignInForm>
      ) : (
        <SignedInAccount account={account} />
      )}
    </Section>
  );
}

function SignedInAccount({ account: { hub, name } }: { readonly account: HubAccount }) {
  return (
    <>
      <p>
        Signed in to <span className="mono">{hub}</span> as <strong>{name}</strong>, whose private apps are in Discover.
      </p>
      <RefusalNote commandKey="hub" stays />
      <div className="row">
        <SendButton commandKey="hub" size="sm" sends={(call) => call('signOutOfHub')}>
          Sign out
        </SendButton>
        <span className="muted small">{hubSignOutHelp}</span>
      </div>
    </>
  );
}
