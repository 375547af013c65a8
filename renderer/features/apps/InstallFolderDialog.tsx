import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Job } from '../../../daemon/contract/jobs.ts';
import type { DaemonError } from '../../api/daemon-error.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { isConnected } from '../connection/connection-slice.ts';

interface InstallFolderDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for a path and stays until the install is done; closed earlier, the install goes on in its card. */
export function InstallFolderDialog({ opened, onClose }: InstallFolderDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Install from a folder" closeButtonProps={{ 'aria-label': 'Close' }}>
      <InstallFolderForm onClose={onClose} />
    </Modal>
  );
}

function InstallFolderForm({ onClose }: { readonly onClose: () => void }) {
  const [path, setPath] = useState('');
  const [jobId, setJobId] = useState<string | null>(null);
  const job = useDashboard((s) => s.jobs.find(({ id }) => id === jobId));
  const refusal = useDashboard((s) => s.installRefusals[path.trim()]);
  const asked = useDashboard((s) => s.installsAsked.includes(path.trim()));
  const connected = useDashboard(isConnected);
  const installApp = useDashboard((s) => s.installApp);
  const forgetRefusal = useDashboard((s) => s.forgetInstallRefusal);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setJobId(await installApp(path.trim()));
  }
  function change(next: string): void {
    forgetRefusal(path.trim());
    setJobId(null);
    setPath(next);
  }

  const working = job !== undefined && isActive(job);
  if (job?.state === 'done') return <Installed job={job} onClose={onClose} />;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <TextInput
        size="md"
        label="Folder path"
        description="The folder that holds the app's pyproject.toml. It is copied, never written to."
        placeholder="/home/you/my_app"
        value={path}
        onChange={(event) => change(event.currentTarget.value)}
        disabled={working}
        error={problem(refusal, job)}
        errorProps={{ role: 'alert' }}
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {working ? (
        <JobProgress job={job} />
      ) : (
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" disabled={!connected || asked || path.trim() === ''}>
            Install
          </Button>
        </div>
      )}
    </form>
  );
}

function Installed({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const startApp = useDashboard((s) => s.startApp);
  const { appName } = job;
  function start(name: string): void {
    onClose();
    void startApp(name);
  }
  return (
    <div className="stack">
      <p role="status">{appName ?? 'The app'} is installed.</p>
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {appName && (
          <Button onClick={() => start(appName)} data-autofocus>
            Start {appName}
          </Button>
        )}
      </div>
    </div>
  );
}

function problem(refusal: DaemonError | undefined, job: Job | undefined): string | null {
  if (refusal) return [refusal.message, ...refusal.issues.map(({ message }) => message)].join(' ');
  if (job?.failure) return `${job.failure.message} ${job.failure.action}`;
  return job?.state === 'cancelled' ? 'Cancelled. Nothing was changed.' : null;
}
