import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CheckReport, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppJob } from '../../slices/apps/own-apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { FindingList } from './FindingList.tsx';
import { FixDialog } from './FixDialog.tsx';
import { checkResult, depthText, fixLabel, whatACheckDoes } from './own-app-page-text.ts';

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
  const { word, tone } = checkResult(check);
  return (
    <div role="status">
      <StateWord tone={tone} lasting>
        {word}
      </StateWord>
      <p className="muted small">
        Checked <TimeAgo at={check.checkedAt} />. {depthText(check)}
      </p>
    </div>
  );
}

function CheckButton({ app: { id, title, check, exists } }: { readonly app: OwnApp }) {
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const pending = useDashboard(isPending(`own-app ${id}`, 'check'));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant="default"
      disabled={!connected || pending || !exists}
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
  const connected = useDashboard(isConnected);
  const fixable = check.findings.filter(({ fixable: can }) => can);
  if (fixable.length === 0 && !asking) return null;
  return (
    <>
      <Button variant="default" disabled={!connected || fixable.length === 0} onClick={() => setAsking(true)}>
        {fixLabel(fixable.length)}…
      </Button>
      <FixDialog app={app} fixable={fixable} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
