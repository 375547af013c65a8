import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { PrimaryLink } from '../../parts/actions/buttons.tsx';
import { BackLink } from '../../parts/BackLink.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppState } from '../app-card/AppCard.tsx';
import { AppMenu } from '../app-card/AppMenu.tsx';
import { LongText } from '../app-card/LongText.tsx';
import { ResetAppDialog } from '../app-card/ResetAppDialog.tsx';
import { ResetNote } from '../app-card/ResetNote.tsx';
import { AppReadme } from '../readme/Readme.tsx';
import { AppControls } from '../run/AppControls.tsx';
import { CrashNote, useVariablesToSet } from '../run/CrashNote.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { useEndedRun, useSeen } from '../run/use-ended-run.ts';
import { VersionsPanel } from '../versions/VersionsPanel.tsx';
import { isUpdatable } from '../versions/version-text.ts';
import { AppAbout } from './AppAbout.tsx';
import { missingAppText } from './app-text.ts';
import { OutputPanel } from './OutputPanel.tsx';
import { RunsPanel } from './RunsPanel.tsx';
import { VariablesSection } from './VariablesSection.tsx';
import './app-page.css';

export interface AppPageProps {
  readonly name: string;
  readonly tab: string | null;
  /** The id of the run whose output is shown. */
  readonly run?: string | null;
  /** `set=API_KEY`: the variable to set. `need=chat`: the model to choose, on About. `reset=`: asks whether to reset it. */
  readonly query?: string;
}

export function AppPage({ name, tab, run = null, query = '' }: AppPageProps) {
  const app = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  return (
    <>
      <BackLink href={hrefOf('apps')}>Apps</BackLink>
      <PageHeader title={app?.title ?? name} />
      {app ? <AppDetail app={app} tab={tab} run={run} query={query} /> : <NotInstalled name={name} />}
    </>
  );
}

const tabs = ['about', 'readme', 'output', 'runs', 'versions', 'variables'] as const;

interface AppDetailProps {
  readonly app: InstalledApp;
  readonly tab: string | null;
  readonly run: string | null;
  readonly query: string;
}

function AppDetail({ app, tab, run, query }: AppDetailProps) {
  const { name } = app;
  const title = useDashboard((s) => titleOf(s, name));
  const shown = tabs.find((each) => each === tab) ?? 'about';
  const params = new URLSearchParams(query);
  const wanted = params.get('set');
  const abnormal = useEndedRun(name);
  const ended = shown === 'about' || shown === 'output' ? abnormal : null;
  const toSet = useVariablesToSet(ended);
  useSeen(ended);
  return (
    <>
      <section className="card app-summary" aria-label={title}>
        <div className="app-summary-line">
          <AppIcon app={app} />
          <div className="app-card-names">
            <p className="mono">{name}</p>
            <AppState app={app} />
          </div>
          <AppControls
            app={app}
            primary={toSet.length === 0 && app.needs.every(({ optional, endpoint }) => optional || endpoint)}
            withRestart
            progressShownElsewhere={shown === 'versions'}
            menu={<AppMenu app={app} />}
          />
        </div>
        {app.description !== '' && <LongText>{app.description}</LongText>}
        <RunNotes name={name} />
        <ResetNote app={app} />
        {ended && <CrashNote run={ended} />}
        <RefusalNote commandKey={`app ${name}`} commands={['update', 'rollBack', 'pin', 'unpin']} />
      </section>
      <PageTabs
        label={title}
        shown={shown}
        hrefOf={(next) => hrefOf('apps', { appName: name, tab: next })}
        tabs={{
          about: { title: 'About', content: <AppAbout app={app} need={params.get('need')} /> },
          readme: { title: 'Read me', content: <AppReadme app={app} /> },
          output: { title: 'Output', content: <OutputPanel appName={name} /> },
          runs: { title: 'Runs', content: <RunsPanel appName={name} run={run} /> },
          versions: { title: <VersionsTitle app={app} />, content: <VersionsPanel app={app} /> },
          variables: { title: 'Variables', content: <VariablesSection key={wanted} appName={name} wanted={wanted} /> },
        }}
      />
      <ResetAppDialog
        app={app}
        opened={params.has('reset')}
        noteOnPage
        onClose={() => replaceAddress(hrefOf('apps', { appName: name, ...(tab !== null && { tab }) }))}
      />
    </>
  );
}

function VersionsTitle({ app }: { readonly app: InstalledApp }) {
  return (
    <>
      Versions
      {isUpdatable(app) && (
        <span className="tab-badge">
          <span>update</span>
        </span>
      )}
    </>
  );
}

function NotInstalled({ name }: { readonly name: string }) {
  return (
    <EmptyState
      title={`${name} is not installed`}
      action={<PrimaryLink href={hrefOf('apps', { tab: 'discover' })}>Discover apps</PrimaryLink>}
    >
      {missingAppText}
    </EmptyState>
  );
}
