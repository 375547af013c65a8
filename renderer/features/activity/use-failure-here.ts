import { useEffect, useState } from 'react';
import type { Job, JobFailure } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/**
 * Why a job failed, for the place that began it. What is told here is told nowhere else, and is gone once one leaves;
 * Activity keeps it.
 */
export function useFailureHere(job: Job | undefined): {
  readonly failure: JobFailure | null;
  readonly putAway: () => void;
} {
  const dismiss = useDashboard((s) => s.dismiss);
  const news = useDashboard((s) => (job?.failure && !s.dismissed.includes(job.id) ? job.id : null));
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => {
    if (news === null) return;
    setTold(news);
    dismiss(news);
  }, [news, dismiss]);
  const isHere = job !== undefined && (job.id === news || job.id === told);
  return { failure: isHere ? job.failure : null, putAway: () => setTold(null) };
}
