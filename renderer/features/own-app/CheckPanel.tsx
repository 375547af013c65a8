import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { CheckReport, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppJob } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { FindingList, FindingText } from './FindingList.tsx';
import { checkResult, depthText, fixLabel, fixText, placeText, whatACheckDoes } from './own-app-page-text.ts';
import '../../parts/rows.css';

/** Checks the app, and lists what the last check found. */
export function CheckPanel({ app }: { readonly app: OwnApp }) {
  const { id, title, check, exists } = app;
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const job = useDashboard((s) => ownAppJob(s.jobs, app, 'check-app'));
  const { failure, dismiss } = useJobFailure(job);
  const working = job !== undefined && isActive(job);
  return (
    <section className="card stack" aria-label="Check">
      {working ? (
        <JobProgress job={job} name={title} />
      ) : (
        <div className="own-check-head">
          {check ? (
            <div role="status">
              <StateWord {...checkResult(check)} lasting />
              <p className="muted small">
                Checked <TimeAgo at={check.checkedAt} />. {depthText(check)}
              </p>
            </div>
          ) : (
            <p className="own-check-intro">{whatACheckDoes}</p>
          )}
          <div className="row">
            {check && <FixButton app={app} check={check} />}
            <SendButton
              size="sm"
              commandKey={`own-app ${id}`}
              command="check"
              busy="Checking…"
              disabled={!exists}
              onClick={() => void sendOwnAppCommand(id, 'check')}
              copies={callAction('Check', 'checkOwnApp', { params: { ownAppId: id } })}
              aria-label={`${check ? 'Check again' : 'Check'}: ${title}`}
            >
              {check ? 'Check again' : 'Check'}
            </SendButton>
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

/** Says which files a repair changes and why, before it does. */
function FixButton({ app: { id }, check }: { readonly app: OwnApp; readonly check: CheckReport }) {
  const [asking, setAsking] = useState(false);
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const fixable = check.findings.filter(({ fixable: can }) => can);
  const label = fixLabel(fixable.length);
  const close = () => setAsking(false);
  async function fix(): Promise<void> {
    if (await sendOwnAppCommand(id, 'fix')) close();
  }
  if (fixable.length === 0 && !asking) return null;
  return (
    <>
      <SendButton size="sm" disabled={fixable.length === 0} onClick={() => setAsking(true)}>
        {label}…
      </SendButton>
      <Modal opened={asking} onClose={close} title={label} size="lg">
        <div className="stack">
          <p>{fixText}</p>
          <ul className="rows" aria-label="What is changed">
            {fixable.map(({ id: rule, file, line, message, action }) => (
              <li key={`${rule} ${file} ${line} ${message}`}>
                {file !== null && <p className="mono small">{placeText(file, line)}</p>}
                <FindingText message={message} action={action} />
              </li>
            ))}
          </ul>
          <RefusalNote commandKey={`own-app ${id}`} commands={['fix']} fresh />
          <div className="row dialog-actions">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <SendButton
              commandKey={`own-app ${id}`}
              command="fix"
              primary
              onClick={() => void fix()}
              copies={callAction(label, 'fixOwnApp', { params: { ownAppId: id } })}
              data-autofocus
            >
              {label}
            </SendButton>
          </div>
        </div>
      </Modal>
    </>
  );
}
