import { useEffect, useState } from 'react';
import type { Job, JobFailure } from '../../../daemon/contract/jobs.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { minorVersion } from '../../parts/format.ts';
import { InstallIcon } from '../../parts/icons.tsx';
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
  /** Whether the app is started, too, once it is installed. */
  readonly tries?: boolean;
}

/** Accepts the download of the Python that a failed install needs, and installs again. Nothing for other failures. */
export function DownloadPython({ job, onStarted, compact = true, tries = false }: DownloadPythonProps) {
  const installApp = useDashboard((s) => (tries ? s.tryApp : s.installApp));
  const title = useDashboard((s) => job && subjectTitle(job, s));
  const version = job?.failure?.pythonDownload;
  if (!job || version === undefined) return null;
  const text = `Download Python ${minorVersion(version)} and ${tries ? 'try' : 'install'}`;
  return (
    <SendButton
      commandKey={`install ${job.subject}`}
      size={compact ? 'compact-sm' : 'sm'}
      variant="filled"
      onClick={() => void installApp(job.subject, { downloadPython: true }).then(onStarted)}
      copies={callAction('Install', 'installApp', { body: { url: job.subject, downloadPython: true } })}
      aria-label={`${text} ${title}`}
    >
      {text}
    </SendButton>
  );
}

interface FoundAppsProps {
  readonly failure: JobFailure;
  /** Default: installs it. */
  readonly onChoose?: (address: string) => void;
}

/** Lists the apps of a folder or repository that is no app itself, to install one with a click. */
export function FoundApps({ failure, onChoose }: FoundAppsProps) {
  const installApp = useDashboard((s) => s.installApp);
  const { apps = [] } = failure;
  if (apps.length === 0) return null;
  return (
    <ul className="found-apps" aria-label="Apps found there">
      {apps.map(({ name, address }) => (
        <li key={address}>
          <span className="found-app-text">
            <span className="mono found-app-name">{name}</span>
            <span className="muted small mono anywhere">{address}</span>
          </span>
          <SendButton
            commandKey={`install ${address}`}
            leftSection={<InstallIcon size={14} />}
            onClick={() => (onChoose ? onChoose(address) : void installApp(address))}
            copies={callAction('Install', 'installApp', { body: { url: address } })}
            aria-label={`Install ${name}`}
          >
            Install
          </SendButton>
        </li>
      ))}
    </ul>
  );
}
