import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Job, JobFailure } from '../../../daemon/contract/jobs.ts';
import { minorVersion } from '../../parts/format.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectTitle } from './install-jobs.ts';
import './found-apps.css';

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

interface DownloadPythonProps {
  readonly job: Job | undefined;
  /** Receives the id of the new job; null when the install was refused. */
  readonly onStarted?: (jobId: string | null) => void;
  readonly compact?: boolean;
}

/** Accepts the download of the Python that a failed install needs, and installs again. Nothing for other failures. */
export function DownloadPython({ job, onStarted, compact = true }: DownloadPythonProps) {
  const installApp = useDashboard((s) => s.installApp);
  const pending = useDashboard(isPending(`install ${job?.subject}`));
  const connected = useDashboard(isConnected);
  const title = useDashboard((s) => job && subjectTitle(job, s));
  const version = job?.failure?.pythonDownload;
  if (!job || version === undefined) return null;
  return (
    <Button
      size={compact ? 'compact-sm' : 'sm'}
      disabled={!connected || pending}
      loading={pending}
      onClick={() => void installApp(job.subject, { downloadPython: true }).then(onStarted)}
      aria-label={`Download Python ${minorVersion(version)} and install ${title}`}
    >
      Download Python {minorVersion(version)} and install
    </Button>
  );
}

interface FoundAppsProps {
  readonly failure: JobFailure;
  /** Default: installs it. */
  readonly onChoose?: (address: string) => void;
}

/** Lists the apps of a folder or repository that is no app itself, to install one with a click. */
export function FoundApps({ failure, onChoose }: FoundAppsProps) {
  const { apps = [] } = failure;
  if (apps.length === 0) return null;
  return (
    <ul className="found-apps" aria-label="Apps found there">
      {apps.map(({ name, address }) => (
        <FoundApp key={address} name={name} address={address} onChoose={onChoose} />
      ))}
    </ul>
  );
}

interface FoundAppProps {
  readonly name: string;
  readonly address: string;
  readonly onChoose: ((address: string) => void) | undefined;
}

function FoundApp({ name, address, onChoose }: FoundAppProps) {
  const installApp = useDashboard((s) => s.installApp);
  const pending = useDashboard(isPending(`install ${address}`));
  const connected = useDashboard(isConnected);
  return (
    <li>
      <span className="found-app-text">
        <span className="mono found-app-name">{name}</span>
        <span className="muted small mono found-app-address">{address}</span>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<InstallIcon size={14} />}
        disabled={!connected || pending}
        loading={pending}
        onClick={() => (onChoose ? onChoose(address) : void installApp(address))}
        aria-label={`Install ${name}`}
      >
        Install
      </Button>
    </li>
  );
}
