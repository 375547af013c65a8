import { Button, Modal } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { hrefWith, replaceAddress, useRoute } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { DownloadPython, FoundApps, useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { fromLinkText } from './apps-text.ts';
import { FROM, INSTALL } from './install-address.ts';

/**
 * Asks for an address and shows the install until it is done. Closing the dialog does not stop the install. Open while
 * the page's address says so, which may name what to install; the user decides whether.
 */
export function InstallDialog() {
  const query = new URLSearchParams(useRoute().query);
  const address = query.get(INSTALL);
  // A page of another site can link to this one, too, and say nothing of it. A chosen folder has no scheme.
  const isFromLink = query.get(FROM) === 'link' || /^https?:/i.test(address ?? '');
  // Kept while the dialog closes, so that the form stays as it is.
  const [suggested, setSuggested] = useState({ address, isFromLink });
  const isNew = address !== suggested.address || isFromLink !== suggested.isFromLink;
  if (address !== null && isNew) setSuggested({ address, isFromLink });
  const close = () => replaceAddress(hrefWith({ [INSTALL]: null, [FROM]: null }));
  return (
    <Modal opened={address !== null} onClose={close} title="Install an app">
      <InstallForm
        key={suggested.address}
        suggested={suggested.address ?? ''}
        isFromLink={suggested.isFromLink}
        onClose={close}
      />
    </Modal>
  );
}

interface InstallFormProps {
  /** The address to begin with. */
  readonly suggested: string;
  /** Whether a link that was opened elsewhere suggests it. */
  readonly isFromLink: boolean;
  readonly onClose: () => void;
}

function InstallForm({ suggested, isFromLink, onClose }: InstallFormProps) {
  const [typedAddress, setAddress] = useState(suggested);
  const [revision, setRevision] = useState('');
  const [jobId, setJobId] = useState<string | null>(null);
  const address = typedAddress.trim();
  const isSuggested = suggested !== '';
  const job = useDashboard((s) => s.jobs.find(({ id }) => id === jobId));
  const refusal = useDashboard(refusalOf(`install ${address}`));
  const installApp = useDashboard((s) => s.installApp);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  useJobFailure(job); // dismisses the failure elsewhere: this dialog shows it
  // A refusal ends with its address here: else Activity, or this form when it is opened again, would show it.
  useEffect(() => () => dismissRefusal(`install ${address}`), [address, dismissRefusal]);

  const choices = { revision: revision.trim() || undefined };
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setJobId(await installApp(address, choices));
  }
  /** Installs one of several apps that were found. */
  async function choose(found: string): Promise<void> {
    change(() => setAddress(found));
    setJobId(await installApp(found));
  }
  function change(write: () => void): void {
    dismissRefusal(`install ${address}`);
    setJobId(null);
    write();
  }

  const working = job !== undefined && isActive(job);
  const atRevision = problemAt(refusal, 'revision');
  if (job?.state === 'done') return <Installed job={job} onClose={onClose} />;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {isFromLink && <p>{fromLinkText}</p>}
      <CodeInput
        size="md"
        label="Address"
        description="A Space of the hub, a git repository (https://…) or the full path of a folder; with #subdirectory=… for a folder in it. A folder is copied, not changed."
        placeholder="https://… or /home/you/my_app"
        value={typedAddress}
        onChange={({ currentTarget }) => change(() => setAddress(currentTarget.value))}
        readOnly={working} // not disabled: it keeps the focus
        error={atRevision === null ? problem(refusal, job) : null}
        data-autofocus={isSuggested ? undefined : true}
      />
      {job?.failure && <FoundApps failure={job.failure} onChoose={(found) => void choose(found)} />}
      <CodeInput
        label="Revision"
        description="A branch, tag or commit. Empty: the newest commit."
        value={revision}
        onChange={({ currentTarget }) => change(() => setRevision(currentTarget.value))}
        readOnly={working}
        error={atRevision}
      />
      {working ? (
        <JobProgress job={job} />
      ) : (
        <div className="row dialog-actions">
          {/* Enter, pressed for the page that opened this one, must not install. */}
          <Button variant="default" onClick={onClose} data-autofocus={isSuggested ? true : undefined}>
            Close
          </Button>
          <SendButton
            commandKey={`install ${address}`}
            disabled={address === ''}
            size="sm"
            variant={job?.failure?.pythonDownload === undefined ? 'filled' : 'default'}
            type="submit"
          >
            Install
          </SendButton>
          <DownloadPython job={job} onStarted={setJobId} compact={false} />
          {address !== '' && (
            <CopyMenu
              of="this address"
              actions={[callAction('Install', 'installApp', { body: { url: address, ...choices } })]}
            />
          )}
        </div>
      )}
    </form>
  );
}

function Installed({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const startApp = useDashboard((s) => s.startApp);
  const { appName } = job;
  const title = useDashboard((s) => (appName ? titleOf(s, appName) : ''));
  function start(name: string): void {
    onClose();
    void startApp(name);
  }
  return (
    <div className="stack">
      <p role="status">{title ? <Foreign>{title}</Foreign> : 'The app'} is installed.</p>
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {appName && (
          <Button onClick={() => start(appName)} data-autofocus>
            Start <Foreign>{title}</Foreign>
          </Button>
        )}
      </div>
    </div>
  );
}

function problem(refusal: DaemonError | null, job: Job | undefined): string | null {
  if (refusal) return problemAt(refusal, 'url') ?? refusal.message;
  if (job?.failure) return `${job.failure.message} ${job.failure.action}`;
  return job?.state === 'cancelled' ? 'Cancelled. Nothing was changed.' : null;
}
