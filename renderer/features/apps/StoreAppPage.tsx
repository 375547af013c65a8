import type { StoreApp, StoreAppDetail } from '../../../daemon/contract/apps/store.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { BackLink } from '../../parts/BackLink.tsx';
import { Details } from '../../parts/Details.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { minorVersion, shortCommit } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { LongText } from '../app-card/LongText.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { Readme } from '../readme/Readme.tsx';
import { storePlace } from '../readme/readme-links.ts';
import { downloadPythonText, notInstallableText } from './apps-text.ts';
import { iconOf, installedFrom, Likes, StoreControl, StoreState } from './StoreCard.tsx';
import { problemsOf, useStoreApp } from './store-queries.ts';
import '../app/app-page.css';
import './apps.css';

/** The page of one hub app: its description, Install, the facts to decide by, its requirements for those who ask, and its README. */
export function StoreAppPage({ id }: { readonly id: string }) {
  const visited = useDashboard((s) => s.visited.discover);
  const { detail, listed } = useStoreApp(id);
  const installed = useDashboard((s) => installedFrom(id, s.installedApps));
  // The listed summary is shown at once, until the details are loaded.
  const app = detail.value ?? listed;
  const problems = problemsOf(detail.value);
  const models = detail.value && needsText(detail.value.needs);
  return (
    <>
      <BackLink href={hrefOf('apps', { tab: 'discover', query: visited })}>Discover</BackLink>
      <PageHeader title={app?.title ?? id} />
      {app && (
        <section className="card app-summary" aria-label={id}>
          <div className="app-summary-line">
            <AppIcon app={{ title: app.title, icon: iconOf(installed) }} />
            <div className="app-card-names">
              <p className="mono anywhere">{id}</p>
              <StoreState app={app} />
            </div>
            <div className="stack tight store-control">
              <StoreControl app={app} primary />
            </div>
          </div>
          <LongText>{app.description}</LongText>
          {models !== null && <p className="muted small">{models}</p>}
          {problems.length > 0 && (
            <Note tone="failed" title={notInstallableText}>
              <ProblemList problems={problems} />
            </Note>
          )}
          {detail.value && <PythonNote app={detail.value} />}
          <StoreFacts app={app} detail={detail.value} />
          {(detail.value || detail.error === null) && (
            <Details>{detail.value ? <TechnicalFacts app={detail.value} /> : <Skeleton rows={3} />}</Details>
          )}
        </section>
      )}
      <LoadedPart of={detail} failure={app ? 'Details could not be loaded' : 'The app could not be loaded'} rows={4}>
        {(known) => (
          <Section title="Read me">
            <Readme readme={known.readme} place={storePlace(known)} />
          </Section>
        )}
      </LoadedPart>
    </>
  );
}

/** Says that the install offers to download the Python that the app needs. */
function PythonNote({ app: { problems, pythonDownload } }: { readonly app: StoreAppDetail }) {
  if (pythonDownload === null) return null;
  return (
    <Note tone="idle" title={downloadPythonText(minorVersion(pythonDownload))}>
      <ProblemList problems={problems} />
    </Note>
  );
}

interface StoreFactsProps {
  readonly app: StoreApp;
  /** null: not loaded. */
  readonly detail: StoreAppDetail | null;
}

/** The facts by which a person decides for an app. Those that are not loaded yet keep their place. */
function StoreFacts({ app, detail }: StoreFactsProps) {
  const size = detail?.sizeBytes ?? null;
  const known = (text: string | null | undefined) => text ?? (detail === null ? '–' : 'unknown');
  return (
    <dl className="facts">
      <Fact name="Author">
        <Foreign>{app.author}</Foreign>
      </Fact>
      <Fact name="Version">{known(detail?.version)}</Fact>
      <Fact name="Download">{known(size === null ? null : byteText(size))}</Fact>
      {app.updatedAt && (
        <Fact name="Updated">
          <TimeAgo at={app.updatedAt} />
        </Fact>
      )}
      {app.private && <Fact name="Visible to">your account only</Fact>}
    </dl>
  );
}

function TechnicalFacts({ app }: { readonly app: StoreAppDetail }) {
  const { requiresPython, dependencies } = app;
  return (
    <>
      <dl className="facts">
        <Fact name="Python">{requiresPython ?? 'any'}</Fact>
        <Fact name="Packages">
          {dependencies.length > 0 ? <span className="mono">{dependencies.join(', ')}</span> : 'none'}
        </Fact>
        <Fact name="App" mono>
          {app.appName ?? 'unknown'}
        </Fact>
        <Fact name="Likes">
          <Likes count={app.likes} />
        </Fact>
        {app.commit && (
          <Fact name="Commit">
            <span className="mono" title={app.commit}>
              {shortCommit(app.commit)}
            </span>
          </Fact>
        )}
      </dl>
      <p>
        <a href={app.url} target="_blank" rel="noopener noreferrer">
          See it on the hub
        </a>
      </p>
    </>
  );
}

function ProblemList({ problems }: { readonly problems: readonly string[] }) {
  return (
    <ul className="store-problems">
      {problems.map((problem) => (
        <Foreign key={problem} as="li">
          {problem}
        </Foreign>
      ))}
    </ul>
  );
}
