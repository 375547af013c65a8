import type { OwnApp, PublishedSpace } from '../../../daemon/contract/apps/own-apps.ts';
import type { JobFailure } from '../../../daemon/contract/jobs.ts';
import { closePublish, hrefOfPublish, isPublishOpen, openPublish } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/actions/buttons.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { SecretIcon } from '../../parts/icons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppJob } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { noAppText, openLabel, searchFor, whatPublishingDoes } from './publish-text.ts';

/** Publishes the app, and says as what it is published. */
export function PublishPanel({ app, query }: { readonly app: OwnApp; readonly query: string }) {
  const job = useDashboard((s) => ownAppJob(s.jobs, app, 'publish-app'));
  const { failure, dismiss } = useJobFailure(job);
  const working = job !== undefined && isActive(job);
  return (
    <section className="card stack" aria-label="Publish">
      {app.space ? <PublishedFacts space={app.space} /> : <p className="own-check-intro">{whatPublishingDoes}</p>}
      {!working && failure && (
        <FailureNote
          failure={failure}
          actions={<PublishFailureActions app={app} reason={failure.reason} />}
          onDismiss={dismiss}
        />
      )}
      {working ? (
        <JobProgress job={job} name={app.title} />
      ) : (
        <div className="row">
          <SendButton size="sm" disabled={app.name === null || !app.exists} onClick={() => openPublish(app.id)}>
            {openLabel(app)}
          </SendButton>
          {app.space && <PublishedLinks space={app.space} />}
          {app.name === null && <span className="muted small">{noAppText}</span>}
        </div>
      )}
      <PublishDialog app={app} opened={isPublishOpen(query) && !working} onClose={closePublish} />
    </section>
  );
}

function PublishedFacts({ space }: { readonly space: PublishedSpace }) {
  return (
    <>
      <h2>Published</h2>
      <dl className="facts">
        <Fact name="Space" mono>
          {space.id}
        </Fact>
        <Fact name="Visible to">
          {space.private ? (
            <span className="own-private">
              <SecretIcon size={14} /> you only
            </span>
          ) : (
            'everyone'
          )}
        </Fact>
        <Fact name="Version">
          {space.version}, <TimeAgo at={space.publishedAt} />
        </Fact>
      </dl>
    </>
  );
}

function PublishedLinks({ space }: { readonly space: PublishedSpace }) {
  const send = useDashboard((s) => s.send);
  const search = new URLSearchParams({ search: searchFor(space.id) }).toString();
  return (
    <>
      <LinkButton size="sm" href={space.url} target="_blank" rel="noopener noreferrer">
        See the Space
      </LinkButton>
      <LinkButton
        size="sm"
        href={hrefOf('apps', { tab: 'discover', query: search })}
        // The copy of the hub on this machine may be older than the Space.
        onClick={() => void send('store', (call) => call('refreshStore'))}
      >
        Find it in Discover
      </LinkButton>
    </>
  );
}

/** Leads from a publication that failed to what puts it right. */
function PublishFailureActions({
  app: { id },
  reason,
}: {
  readonly app: OwnApp;
  readonly reason: JobFailure['reason'];
}) {
  if (reason === 'problems-found') {
    return <LinkButton href={hrefOf('apps', { ownAppId: id, tab: 'check' })}>See the problems</LinkButton>;
  }
  if (reason === 'changed-elsewhere') return <LinkButton href={hrefOfPublish(id)}>See the difference</LinkButton>;
  return (
    <>
      {reason === 'auth' && <LinkButton href={hrefOf('settings')}>See the hub account</LinkButton>}
      <a href={hrefOf('activity')}>See the log</a>
    </>
  );
}
