import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { StoreApp, StoreSort } from '../../../daemon/contract/apps/store.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { LikeIcon, SecretIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { installBlockedReason } from '../../slices/apps/store-status.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { InstallWord } from '../activity/JobProgress.tsx';
import { AppCardFoot, AppState, AppVersionLine } from '../app-card/AppCard.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { useCardMessage } from '../app-card/use-card-message.tsx';
import { AppControls } from '../run/AppControls.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';
import { InstallControl } from './InstallControl.tsx';
import { problemsOf, useKnownDetail } from './store-queries.ts';

/** The card of a hub app, labelled with its repository id, since titles are not unique. */
export function StoreCard({ app, sort }: { readonly app: StoreApp; readonly sort: StoreSort }) {
  const { id, title, description } = app;
  const installed = useDashboard((s) => installedFrom(id, s.installedApps));
  const message = useCardMessage(installed);
  // The date that the list is sorted by.
  const isRecent = sort === 'recent';
  const at = isRecent ? app.createdAt : app.updatedAt;
  return (
    <AppCardFrame
      app={{ name: id, title, description, icon: iconOf(installed) }}
      href={hrefOf('apps', { spaceId: id })}
      state={<StoreState app={app} />}
      text={message.text}
    >
      {installed ? <AppCardFoot app={installed} message={message} /> : <StoreControl app={app} />}
      <p className="app-card-meta">
        <span className="store-meta">
          <Likes count={app.likes} />
          {at && (
            <>
              {' · '}
              {isRecent ? 'added' : 'updated'} <TimeAgo at={at} />
            </>
          )}
          {app.private && (
            <>
              {' · '}
              <SecretIcon size={14} /> private
            </>
          )}
        </span>
      </p>
    </AppCardFrame>
  );
}

export function Likes({ count }: { readonly count: number }) {
  return (
    <span className="store-likes">
      <LikeIcon size={14} /> {count.toLocaleString()}
      <span className="visually-hidden">{count === 1 ? ' like' : ' likes'}</span>
    </span>
  );
}

interface StoreControlProps {
  readonly app: Pick<StoreApp, 'id' | 'title' | 'url'>;
  readonly primary?: boolean;
}

/** Shows Install, or why it cannot be installed; then its progress, then the controls of the installed app. */
export function StoreControl({ app, primary = false }: StoreControlProps) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const blockedReason = useDashboard(installBlockedReason);
  const [problem] = problemsOf(useKnownDetail(app.id));
  if (!installed && problem !== undefined) {
    return (
      <div className="stack store-refused">
        <StateWord tone="failed">cannot be installed</StateWord>
        {/* The page of the app shows all reasons beside. */}
        {!primary && (
          <Foreign as="p" className="small two-lines" title={problem}>
            {problem}
          </Foreign>
        )}
      </div>
    );
  }
  if (!installed) return <InstallControl installable={app} primary={primary} blockedReason={blockedReason} />;
  return (
    <>
      <AppControls app={installed} primary={primary} />
      <RunNotes name={installed.name} />
      <RefusalNote commandKey={`app ${installed.name}`} commands={['update']} />
      <UpdateFailure app={installed} />
      <AppVersionLine app={installed} />
    </>
  );
}

/** Shows `queued`, `installing`, or the state of the installed app; nothing for the other apps. */
export function StoreState({ app }: { readonly app: StoreApp }) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const job = useDashboard((s) => latestInstall(s.jobs, { address: app.url }));
  if (installed) return <AppState app={installed} />;
  return job && isActive(job) ? <InstallWord job={job} /> : null;
}

/** The hub is not asked for pictures: an app of the store has one once it is installed. */
export const iconOf = (installed: InstalledApp | undefined): string | null => installed?.icon ?? null;

/** Finds the app installed from that Space. Two Spaces may have apps of one name, so names are not compared. */
export function installedFrom(spaceId: string, apps: readonly InstalledApp[]): InstalledApp | undefined {
  return apps.find(({ source }) => source.kind === 'space' && source.id.toLowerCase() === spaceId.toLowerCase());
}
