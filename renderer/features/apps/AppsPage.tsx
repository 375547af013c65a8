import { CloseButton } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOfOwnApps } from '../../navigation/own-app-address.ts';
import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { LinkButton, PrimaryLink, SendButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted, firstSentence } from '../../parts/format.ts';
import { TypedSearch } from '../../parts/forms/TypedSearch.tsx';
import { AddIcon } from '../../parts/icons.tsx';
import { ListCount } from '../../parts/lists/ListCount.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { inOrder, useSteadyOrder } from '../../parts/use-steady-order.ts';
import { holderName } from '../../slices/apps/apps-slice.ts';
import { ownAppOfJob } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectName, subjectTitle } from '../activity/install-jobs.ts';
import { InstallWord, JobProgress } from '../activity/JobProgress.tsx';
import { AppCard } from '../app-card/AppCard.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { OwnAppsPanel } from '../own-apps/OwnAppsPanel.tsx';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';
import { ownFolderText } from '../versions/version-text.ts';
import { appSearchOf, appSearchText, installedTab } from './app-list.ts';
import { noMatchText, noneInstalledText, noSamplesText } from './apps-text.ts';
import { DiscoverPanel } from './DiscoverPanel.tsx';
import { InstallDialog } from './InstallDialog.tsx';
import { openInstall } from './install-address.ts';
import { SampleCard } from './SampleCard.tsx';
import { PIECE, useDrawn } from './use-drawn.ts';
import '../../parts/app-grid.css';
import '../../parts/rows.css';
import './apps.css';

export interface AppsPageProps {
  readonly tab: string | null;
  /** The rest of the address's query. */
  readonly query?: string;
}

/** Besides the installed apps. */
const otherTabs = ['discover', 'samples', 'create'] as const;

export function AppsPage({ tab, query = '' }: AppsPageProps) {
  const installed = useDashboard((s) => s.installedApps.length);
  const samples = useDashboard((s) => s.sampleApps.length);
  const own = useDashboard((s) => s.ownApps.apps.length);
  const visited = useDashboard((s) => s.visited.discover);
  /** Discover opens with its last query. */
  const hrefOfTab = (next: string) =>
    hrefOf('apps', {
      ...(next !== 'installed' && { tab: next }),
      ...(next === 'discover' && { query: visited }),
    });
  return (
    <>
      <PageHeader title="Apps">
        <SendButton
          size="sm"
          leftSection={<AddIcon size={16} />}
          onClick={openInstall}
          title={`Install an app (${withCtrl('O')})`}
          aria-keyshortcuts={ariaWithCtrl('O')}
        >
          Install…
        </SendButton>
      </PageHeader>
      <InstallDialog />
      <PageTabs
        label="Apps"
        shown={otherTabs.find((each) => each === tab) ?? 'installed'}
        hrefOf={hrefOfTab}
        tabs={{
          installed: { title: `Installed ${installed}`, content: <InstalledApps search={appSearchOf(query)} /> },
          discover: { title: 'Discover', content: <DiscoverPanel query={query} /> },
          samples: { title: `Samples ${samples}`, content: <Samples /> },
          create: { title: own > 0 ? `Create ${own}` : 'Create', content: <OwnAppsPanel query={query} /> },
        }}
      />
    </>
  );
}

function InstalledApps({ search }: { readonly search: string }) {
  const installedApps = useDashboard((s) => s.installedApps);
  const jobs = useDashboard((s) => s.jobs);
  const dismissed = useDashboard((s) => s.dismissed);
  const running = useDashboard((s) => (s.slot.state === 'free' ? null : holderName(s.slot.holder)));
  const later = useDeferredValue(search);
  /** Hundreds of cards that go or come are not to hold up the key that was pressed. */
  const shown = installedApps.length > PIECE ? later : search;
  const { installing, installed, failed } = useMemo(
    () => installedTab({ jobs, dismissed, installedApps, running, search: shown }),
    [jobs, dismissed, installedApps, running, shown],
  );
  const { list, order } = useSteadyOrder<HTMLUListElement>(installed.map(({ name }) => name));
  const drawn = useDrawn(installed);
  if (installedApps.length + installing.length === 0) {
    return (
      <>
        <NoneInstalled />
        <FailedInstalls jobs={failed} />
      </>
    );
  }
  return (
    <div className="stack">
      <TypedSearch
        label="Search your apps"
        search={search}
        onSearch={(next) => replaceAddress(hrefOf('apps', next ? { query: appSearchText(next) } : {}))}
      >
        {/* The tab has the number of all. */}
        <ListCount matches={shown === '' ? null : installed.length} noun="app" />
      </TypedSearch>
      {installing.length + installed.length === 0 ? (
        <NoMatch search={shown} />
      ) : (
        <ul className="app-grid app-grid-long" aria-label="Installed apps" data-results-of={shown} ref={list}>
          {installing.map((job) => (
            <InstallingCard key={job.id} job={job} />
          ))}
          {inOrder(installed, order, ({ name }) => name).map(
            (app) => drawn.has(app.name) && <AppCard key={app.name} app={app} />,
          )}
        </ul>
      )}
      <FailedInstalls jobs={failed} />
    </div>
  );
}

function NoMatch({ search }: { readonly search: string }) {
  return (
    <EmptyState
      title={`None of your apps matches "${search}"`}
      action={
        <PrimaryLink href={hrefOf('apps', { tab: 'discover', query: appSearchText(search) })}>
          Search the hub for it
        </PrimaryLink>
      }
    >
      {noMatchText}
    </EmptyState>
  );
}

function NoneInstalled() {
  return (
    <EmptyState
      title="No apps installed"
      action={
        <div className="row">
          <PrimaryLink href={hrefOf('apps', { tab: 'discover' })}>Discover apps</PrimaryLink>
          <LinkButton href={hrefOf('apps', { tab: 'samples' })} size="sm">
            See the samples
          </LinkButton>
          <LinkButton href={hrefOfOwnApps()} size="sm">
            Create your own
          </LinkButton>
        </div>
      }
    >
      {noneInstalledText}
    </EmptyState>
  );
}

function Samples() {
  const samples = useDashboard((s) => s.sampleApps);
  if (samples.length === 0) {
    return <EmptyState title="There are no samples">{noSamplesText}</EmptyState>;
  }
  return (
    <ul className="app-grid" aria-label="Sample apps">
      {samples.map((sample) => (
        <SampleCard key={sample.name} sample={sample} />
      ))}
    </ul>
  );
}

/** The card of an app during its first install. */
function InstallingCard({ job }: { readonly job: Job }) {
  const name = subjectName(job);
  const title = useDashboard((s) => subjectTitle(job, s));
  const own = useDashboard((s) => ownAppOfJob(s.ownApps, job));
  const description = own ? ownFolderText(own.folder) : job.subject;
  return (
    <AppCardFrame
      app={{ name: own?.name ?? name, title, description, icon: own?.icon ?? null }}
      state={<InstallWord job={job} />}
    >
      <JobProgress job={job} />
    </AppCardFrame>
  );
}

/** Lists failed first installs, each with its reason; the Activity page has the log. */
function FailedInstalls({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) return null;
  return (
    <section className="failed-installs" aria-labelledby="failed-installs">
      <h2 id="failed-installs">{counted(jobs.length, 'install')} failed</h2>
      <ul className="card rows">
        {jobs.map((job) => (
          <FailedInstall key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function FailedInstall({ job }: { readonly job: Job }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const name = subjectName(job);
  const title = useDashboard((s) => subjectTitle(job, s));
  const message = firstSentence(job.failure?.message ?? 'It failed.');
  return (
    <li className="failed-install">
      <StateMark tone="failed" />
      <span className={`failed-install-name${title === name ? ' mono' : ''}`} title={job.subject}>
        <Foreign>{title}</Foreign>
      </span>
      <span className="muted small two-lines failed-install-reason" title={message}>
        {message}
      </span>
      <a className="small" href={hrefOf('activity')} aria-label={`See the log of the install of ${title}`}>
        See the log
      </a>
      <CloseButton
        size="sm"
        aria-label={`Dismiss the failed install of ${title}`}
        title="Dismiss"
        onClick={() => dismiss(job.id)}
      />
    </li>
  );
}
