import { Button } from '@mantine/core';
import { hrefOf } from '../../navigation/route.ts';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { JobRow } from './JobRow.tsx';
import './activity-page.css';

export function ActivityPage() {
  const jobs = useDashboard((s) => s.jobs);
  return (
    <>
      <PageHeader title="Activity" />
      {jobs.length === 0 ? (
        <EmptyState
          title="No jobs yet"
          action={
            <Button component="a" href={hrefOf('apps', { tab: 'samples' })} variant="default">
              See the samples
            </Button>
          }
        >
          Installs and updates are listed here with their steps and logs.
        </EmptyState>
      ) : (
        <ol className="stack" aria-label="Jobs, newest first">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ol>
      )}
    </>
  );
}
