import { useEffect, useState } from 'react';
import type { Job, JobFailure } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/**
 * Why a job failed, for the place that began it. What is told here is told nowhere else, and is gone once one leaves;
 * Activity keeps it.
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
