import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { CheckFinding, CheckReport, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppJob } from '../../slices/apps/own-apps-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { FindingList } from './FindingList.tsx';
import { checkResult, depthText, fixLabel, placeText, whatACheckDoes } from './own-app-page-text.ts';
import '../../parts/rows.css';

/** Checks the app, and lists what the last check found. */
export function CheckPanel({ app }: { readonly app: OwnApp }) {
  const { id, title, check } = app;
  const job = useDashboard((s) => ownAppJob(s.jobs, app, 'check-app'));
  const { failure, dismiss } = useJobFailure(job);
  const working = job !== undefined && isActive(job);
  return (
    <section className="card stack" aria-label="Check">
      {working ? (
        <JobProgress job={job} name={title} />
      ) : (
        <div className="own-check-head">
          {check ? <Result check={check} /> : <p className="own-check-intro">{whatACheckDoes}</p>}
          <div className="row">
            {check && <FixButton app={app} check={check} />}
            <CheckButton app={app} />
          </div>
        </div>
      )}
      <RefusalNote commandKey={`own-app ${id}`} commands={['check', 'fix']} />
      {!working && failure && failure.reason !== 'problems-found' && (
        <FailureNote
          failure={failure}
          actions={<a href={hrefOf('activity')}>See the log</a>}
          onDismiss={dismiss}
          withEvidence
        />
      )}
      {check && check.findings.length > 0 && <FindingList app={app} findings={check.findings} />}
    </section>
  );
}

function Result({ check }: { readonly check: CheckReport }) {
  return (
    <div role="status">
      <StateWord {...checkResult(check)} lasting />
      <p className="muted small">
        Checked <TimeAgo at={check.checkedAt} />. {depthText(check)}
      </p>
    </div>
  );
}

function CheckButton({ app: { id, title, check, exists } }: { readonly app: OwnApp }) {
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const { pending, blocked } = useCommand(`own-app ${id}`, 'check');
  return (
    <Button
      variant="default"
      disabled={blocked || !exists}
      onClick={() => void sendOwnAppCommand(id, 'check')}
      aria-label={`${check ? 'Check again' : 'Check'}: ${title}`}
    >
      {pending ? 'Checking…' : check ? 'Check again' : 'Check'}
    </Button>
  );
}

/** Opens the list of what would be changed. */
function FixButton({ app, check }: { readonly app: OwnApp; readonly check: CheckReport }) {
  const [asking, setAsking] = useState(false);
  const fixable = check.findings.filter(({ fixable: can }) => can);
  if (fixable.length === 0 && !asking) return null;
  return (
    <>
      <SendButton size="sm" disabled={fixable.length === 0} onClick={() => setAsking(true)}>
        {fixLabel(fixable.length)}…
      </SendButton>
      <FixDialog app={app} fixable={fixable} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}

interface FixDialogProps {
  readonly app: OwnApp;
  readonly fixable: readonly CheckFinding[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says which files a repair changes and why, before it does. */
function FixDialog({ app: { id }, fixable, opened, onClose }: FixDialogProps) {
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  async function fix(): Promise<void> {
    if (await sendOwnAppCommand(id, 'fix')) onClose();
  }
  return (
    <Modal opened={opened} onClose={onClose} title={fixLabel(fixable.length)} size="lg">
      <div className="stack">
        <p>Only these places of your files are changed:</p>
        <ul className="rows" aria-label="What is changed">
          {fixable.map(({ id: rule, file, line, message, action }) => (
            <li key={`${rule} ${file} ${line} ${message}`}>
              {file !== null && <p className="mono small">{placeText(file, line)}</p>}
              <Foreign as="p">{message}</Foreign>
              {action !== null && (
                <Foreign as="p" className="muted">
                  {action}
                </Foreign>
              )}
            </li>
          ))}
        </ul>
        <RefusalNote commandKey={`own-app ${id}`} commands={['fix']} />
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <SendButton commandKey={`own-app ${id}`} command="fix" primary onClick={() => void fix()} data-autofocus>
            {fixLabel(fixable.length)}
          </SendButton>
        </div>
      </div>
    </Modal>
  );
}
