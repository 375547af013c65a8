import { useEffect, useState } from 'react';
import type { Job, JobFailure } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/**
 * Returns a job's failure to the component that started the job, and dismisses it everywhere else. It is gone when the
 * component unmounts; the Activity page still lists it.
 */
export function useJobFailure(job: Job | undefined): {
  readonly failure: JobFailure | null;
  readonly dismiss: () => void;
} {
  const dismiss = useDashboard((s) => s.dismiss);
  const newFailure = useDashboard((s) => (job?.failure && !s.dismissed.includes(job.id) ? job.id : null));
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (newFailure === null) return;
    setShown(newFailure);
    dismiss(newFailure);
  }, [newFailure, dismiss]);
  const isShown = job !== undefined && (job.id === newFailure || job.id === shown);
  return { failure: isShown ? job.failure : null, dismiss: () => setShown(null) };
}
