import { Button } from '@mantine/core';
import type { RuntimeList } from '../../../daemon/contract/endpoints/runtimes.ts';
import { hrefOf } from '../../navigation/route.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { useJobFailure } from '../activity/use-job-failure.ts';
import { downloadText, latestRuntimeInstall } from './machine-text.ts';

interface InstallLlamaServerProps {
  readonly list: RuntimeList;
  readonly mayChange: boolean;
}

/** Installs llama-server, unless a usable one is here; its progress replaces the button. */
export function InstallLlamaServer({ list: { runtimes, installable }, mayChange }: InstallLlamaServerProps) {
  const job = useDashboard((s) => latestRuntimeInstall(s.jobs));
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const pending = useDashboard(isPending('runtimes', 'install'));
  const connected = useDashboard(isConnected);
  const { failure, dismiss } = useJobFailure(job);
  const isHere = runtimes.some(({ id, problem }) => id === 'llama-server' && problem === null);
  if (job && isActive(job)) return <JobProgress job={job} name="llama-server" />;
  if (isHere) return null;
  if (installable.problem !== null) {
    return <p className="muted small">llama-server cannot be downloaded here: {installable.problem}</p>;
  }
  return (
    <div className="stack">
      {failure && (
        <FailureNote failure={failure} actions={<a href={hrefOf('activity')}>See the log</a>} onDismiss={dismiss} />
      )}
      <div className="row">
        {mayChange && (
          <Button
            variant={runtimes.some(({ problem }) => problem === null) ? 'default' : 'filled'}
            leftSection={<InstallIcon size={16} />}
            disabled={!connected || pending}
            loading={pending}
            onClick={() => void installLlamaServer()}
          >
            {job?.state === 'failed' ? 'Install llama-server again' : 'Install llama-server'}
          </Button>
        )}
        <span className="muted small">
          llama-server reads images and runs models that the bundled program does not.{' '}
          {mayChange ? downloadText(installable) : 'Sign in to install it.'}
        </span>
      </div>
    </div>
  );
}
