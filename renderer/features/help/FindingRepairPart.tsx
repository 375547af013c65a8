import { useState } from 'react';
import { commandText } from '../../../daemon/client/copied-text.ts';
import type { InstallationFinding } from '../../../daemon/contract/doctor/installation-check.ts';
import { isInWindow } from '../../navigation/in-window.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CommandLine } from '../../parts/actions/CommandLine.tsx';
import { commandAction, type OneCall } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { CommandKey } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { DownloadPython } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { placeOf, repairedText, repairText, whenClosedText } from './help-text.ts';

interface FindingRepairPartProps {
  readonly finding: InstallationFinding;
  /** When the check ended that found it. */
  readonly checkedAt: string;
}

/** The repair of a finding: a button where the running daemon can do it, else a sentence with what its user does. */
export function FindingRepairPart({ finding: { code, what, repair }, checkedAt }: FindingRepairPartProps) {
  switch (repair.kind) {
    case 'install-again':
      return <InstallAgain appName={repair.appName} url={repair.url} what={what} checkedAt={checkedAt} />;
    case 'use-previous':
      return (
        <CommandRepair
          does={repairText.previous(repair.appName)}
          what={what}
          commandKey={`app ${repair.appName}`}
          command="rollBack"
          repairs={(call) => call('rollBackApp', { params: { appName: repair.appName } })}
        />
      );
    case 'prune-downloads':
      return (
        <CommandRepair
          does={repairText.pruneDownloads}
          what={what}
          commandKey="download-cache"
          command=""
          repairs={(call) => call('pruneDownloadCache')}
        />
      );
    case 'remove-model-file': {
      const params = { fileId: repair.fileId };
      return (
        <CommandRepair
          does={repairText.removeModelFile}
          what={what}
          commandKey={`model-file ${repair.fileId}`}
          command=""
          repairs={(call) => call('removeModelFile', { params })}
        />
      );
    }
    case 'when-closed':
      return <WhenClosed />;
    case 'by-hand':
      return <ByHand code={code} how={repair.how} />;
  }
}

function ByHand({ code, how }: { readonly code: string; readonly how: string }) {
  const place = placeOf(code);
  if (!place) return <Foreign as="p">{how}</Foreign>;
  return (
    <p>
      {place.does} <a href={place.href}>{place.label}</a>
    </p>
  );
}

function WhenClosed() {
  const terminal = useDashboard((s) => s.daemon?.terminal);
  const command = terminal && commandText(terminal, ['doctor', '--fix']);
  return (
    <>
      <p>{whenClosedText(isInWindow, command !== undefined)}</p>
      {command !== undefined && <CommandLine command={command} purpose="repairs this installation" />}
    </>
  );
}

interface CommandRepairProps {
  readonly does: string;
  /** The finding, for screen readers. */
  readonly what: string;
  readonly commandKey: CommandKey;
  readonly command: string;
  readonly repairs: OneCall;
}

function CommandRepair({ does, what, commandKey, command, repairs }: CommandRepairProps) {
  const send = useDashboard((s) => s.send);
  const [done, setDone] = useState(false);
  if (done) return <Repaired />;
  return (
    <>
      <div className="row">
        <SendButton
          commandKey={commandKey}
          command={command}
          onClick={() => void send(commandKey, repairs, command).then((reply) => setDone(reply !== null))}
          copies={commandAction('Repair', repairs)}
          aria-label={`Repair: ${what}`}
        >
          Repair
        </SendButton>
        <span className="muted small">{does}</span>
      </div>
      <RefusalNote commandKey={commandKey} commands={[command]} />
    </>
  );
}

const Repaired = () => (
  <p className="small" role="status">
    {repairedText}
  </p>
);

interface InstallAgainProps extends Pick<FindingRepairPartProps, 'checkedAt'> {
  readonly appName: string;
  readonly url: string;
  readonly what: string;
}

/** Installs an app again as a job, with its progress and why it failed. */
function InstallAgain({ appName, url, what, checkedAt }: InstallAgainProps) {
  const installApp = useDashboard((s) => s.installApp);
  const latest = useDashboard((s) => latestInstall(s.jobs, { name: appName, address: url }));
  const job = latest && latest.createdAt > checkedAt ? latest : undefined;
  if (job && isActive(job)) return <JobProgress job={job} />;
  if (job?.state === 'done') return <Repaired />;
  return (
    <>
      {job?.failure && (
        <FailureNote
          failure={job.failure}
          withEvidence
          actions={job.failure.pythonDownload && <DownloadPython job={job} />}
        />
      )}
      <div className="row">
        <SendButton commandKey={`install ${url}`} onClick={() => void installApp(url)} aria-label={`Repair: ${what}`}>
          Repair
        </SendButton>
        <span className="muted small">{repairText.again(appName)}</span>
      </div>
      <RefusalNote commandKey={`install ${url}`} />
    </>
  );
}
