import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/actions/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { focusListCount, ListCount } from '../../parts/lists/ListCount.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { inOrder, useSteadyOrder } from '../../parts/use-steady-order.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type JobFilter, jobFilterOf, jobFilters, shownJobs } from './activity-list.ts';
import { isActive } from './install-jobs.ts';
import { JobRow } from './JobRow.tsx';
import { noJobsText, noneOf } from './job-text.ts';
import './activity-page.css';

/** Lists the jobs: what runs, what waits, what has ended. `query` has the filter. */
export function ActivityPage({ query = '' }: { readonly query?: string }) {
  const jobs = useDashboard((s) => s.jobs);
  return (
    <>
      <PageHeader title="Activity">
        <CancelAll />
      </PageHeader>
      {jobs.length === 0 ? (
        <EmptyState
          title="No jobs yet"
          action={
            <LinkButton href={hrefOf('apps', { tab: 'samples' })} size="sm">
              See the samples
            </LinkButton>
          }
        >
          {noJobsText}
        </EmptyState>
      ) : (
        <Jobs filter={jobFilterOf(query)} />
      )}
    </>
  );
}

function Jobs({ filter }: { readonly filter: JobFilter }) {
  const jobs = useDashboard((s) => s.jobs);
  const sorted = shownJobs(jobs, filter);
  const { list, order } = useSteadyOrder<HTMLOListElement>(sorted.map(({ id }) => id));
  return (
    <div className="stack">
      <div className="row activity-filters">
        <Segments
          legend="Show"
          choices={jobFilters}
          chosen={filter}
          onChoose={(next) => replaceAddress(hrefOf('activity', next === 'all' ? {} : { query: `show=${next}` }))}
        />
        <ListCount matches={sorted.length} noun="job" />
      </div>
      {sorted.length === 0 && <p className="muted">{noneOf[filter]}</p>}
      <ol className="stack" aria-label="Jobs: running, waiting, ended" ref={list}>
        {inOrder(sorted, order, ({ id }) => id).map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ol>
    </div>
  );
}

/** Cancels what runs and what waits, if that is more than one job. Each can be tried again. */
function CancelAll() {
  const active = useDashboard((s) => s.jobs.filter((job) => isActive(job) && !job.cancelling).length);
  const cancelAllJobs = useDashboard((s) => s.cancelAllJobs);
  if (active < 2) return null;
  function cancelAll(): void {
    focusListCount(); // the button goes away
    void cancelAllJobs();
  }
  return (
    <SendButton size="sm" onClick={cancelAll}>
      Cancel all {counted(active, 'job')}
    </SendButton>
  );
}
