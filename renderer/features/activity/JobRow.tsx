import { useState } from 'react';
import type { WorkStep } from '../../../daemon/contract/common/progress.ts';
import type { Job, JobLog } from '../../../daemon/contract/jobs.ts';
import { hrefOfPublish } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { type CopiedAction, callAction } from '../../parts/actions/CopyMenu.tsx';
import { duration } from '../../parts/format.ts';
import { LogText } from '../../parts/LogText.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { stepStateText, transferText } from '../../parts/notes/progress-text.ts';
import { StateMark, StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import { ownAppOfJob } from '../../slices/apps/own-apps-slice.ts';
import { type CommandKey, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { jobsAhead } from './activity-list.ts';
import { isActive, subjectName, subjectTitle } from './install-jobs.ts';
import { DownloadPython, FoundApps } from './JobFailure.tsx';
import { CancelJob } from './JobProgress.tsx';
import {
  emptyLogText,
  jobStateText,
  kindText,
  logCutText,
  logFailedText,
  ownAppLinkText,
  waitText,
} from './job-text.ts';
import '../../parts/notes/job-log.css';

/** Shows one job: a running one with its steps and log, a failed one with the reason. */
export function JobRow({ job }: { readonly job: Job }) {
  const { word, tone } = jobStateText(job);
  const active = isActive(job);
  const connected = useDashboard(isConnected);
  const subject = useDashboard((s) => subjectTitle(job, s));
  const title = `${kindText(job).verb} ${subject}`;
  const [whole, setWhole] = useState(false);
  const ahead = useDashboard((s) => jobsAhead(s.jobs, job));
  return (
    <li>
      <article className="card stack tight" aria-label={title}>
        <header className="row job-head">
          <h2>{title}</h2>
          <StateWord tone={tone}>{word}</StateWord>
          <span className="muted small job-times">
            <JobTimes job={job} />
          </span>
          {job.subject !== subjectName(job) && (
            <p className="muted small mono job-subject" title={job.subject}>
              {job.subject}
            </p>
          )}
          <span className="row job-actions">
            {active && <CancelJob job={job} />}
            {(job.state === 'failed' || job.state === 'cancelled') && <RetryJob job={job} />}
            {job.kind === 'check-installation' && job.state === 'done' && (
              <LinkButton href={hrefOf('help')}>See the findings</LinkButton>
            )}
            <SmallButton
              aria-expanded={whole}
              aria-label={`${whole ? 'Hide log' : 'Full log'} of ${subject}`}
              disabled={!whole && !connected}
              onClick={() => setWhole(!whole)}
            >
              {whole ? 'Hide log' : 'Full log'}
            </SmallButton>
          </span>
        </header>
        {active && <JobSteps steps={job.steps} />}
        {job.state === 'queued' && <p className="small">{waitText(ahead)}</p>}
        {job.state === 'running' && <p className="small">{job.transfer ? transferText(job.transfer) : job.detail}</p>}
        {job.failure && (
          <FailureNote
            failure={job.failure}
            withEvidence
            actions={job.failure.pythonDownload && <DownloadPython job={job} />}
          >
            <FoundApps failure={job.failure} />
          </FailureNote>
        )}
        <JobLogView job={job} whole={whole} />
        <JobRefusal job={job} />
      </article>
    </li>
  );
}

function JobTimes({ job }: { readonly job: Job }) {
  if (job.state === 'running' && job.startedAt) return <Elapsed since={job.startedAt} />;
  if (!job.endedAt) return <TimeAgo at={job.createdAt} />;
  const took = job.startedAt ? Date.parse(job.endedAt) - Date.parse(job.startedAt) : null;
  return (
    <>
      {took !== null && `${duration(took)} · `}
      <TimeAgo at={job.endedAt} />
    </>
  );
}

function JobRefusal({ job }: { readonly job: Job }) {
  const refusal = useDashboard(
    (s) =>
      refusalOf(`cancel ${job.id}`)(s) ??
      refusalOf(`install ${job.subject}`)(s) ??
      (job.kind === 'update-app' ? refusalOf(`app ${job.appName}`)(s) : null) ??
      (job.kind === 'install-runtime' ? refusalOf('runtimes', ['install'])(s) : null) ??
      (job.kind === 'check-installation' ? refusalOf('doctor', ['check'])(s) : null),
  );
  return refusal ? <Note tone="failed" title={refusal.message} urgent /> : null;
}

export function JobSteps({ steps }: { readonly steps: readonly WorkStep[] }) {
  return (
    <ol className="job-steps" aria-label="Steps">
      {steps.map(({ name, title, state }) => (
        <li key={name} className={`job-step step-${state}`} aria-current={state === 'running' ? 'step' : undefined}>
          <StateMark tone={stepStateText[state].tone} />
          {title}
          <span className="visually-hidden">, {stepStateText[state].word}</span>
        </li>
      ))}
    </ol>
  );
}

/** Begins the job again; a check or a publication from the page of its app. */
function RetryJob({ job }: { readonly job: Job }) {
  return isOfOwnApp(job) ? <OwnAppLink job={job} /> : <TryAgain job={job} />;
}

const isOfOwnApp = ({ kind }: Job): boolean => kind === 'check-app' || kind === 'publish-app';

function OwnAppLink({ job }: { readonly job: Job }) {
  const app = useDashboard((s) => ownAppOfJob(s.ownApps, job));
  if (!app) return null;
  return (
    <LinkButton href={hrefOfResult(job, app.id)} aria-label={`${ownAppLinkText(job)} of ${app.title}`}>
      {ownAppLinkText(job)}
    </LinkButton>
  );
}

/** The part of the page of an own app that puts right why a job failed, or shows how it ended. */
function hrefOfResult({ kind, failure }: Job, ownAppId: string): string {
  if (failure?.reason === 'changed-elsewhere') return hrefOfPublish(ownAppId);
  const isCheck = kind === 'check-app' || failure?.reason === 'problems-found';
  return hrefOf('apps', { ownAppId, tab: isCheck ? 'check' : 'publish' });
}

function TryAgain({ job }: { readonly job: Job }) {
  const installApp = useDashboard((s) => s.installApp);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const checkInstallation = useDashboard((s) => s.checkInstallation);
  const title = useDashboard((s) => subjectTitle(job, s));
  function retry(): void {
    if (job.kind === 'install-runtime') void installLlamaServer();
    else if (job.kind === 'check-installation') void checkInstallation();
    else if (job.kind === 'update-app' && job.appName !== null) void sendAppCommand(job.appName, 'update');
    else void installApp(job.subject);
  }
  return (
    <SendButton
      commandKey={commandOf(job)}
      onClick={retry}
      copies={beginAction(job)}
      aria-label={`Try again to ${kindText(job).noun} ${title}`}
    >
      Try again
    </SendButton>
  );
}

/** The call that begins a job again. */
function beginAction({ kind, subject, appName }: Job): CopiedAction {
  const title = 'Try again';
  if (kind === 'install-runtime') return callAction(title, 'installLlamaServer');
  if (kind === 'check-installation') return callAction(title, 'checkInstallation');
  if (kind === 'update-app' && appName !== null) return callAction(title, 'updateApp', { params: { appName } });
  return callAction(title, 'installApp', { body: { url: subject } });
}

/** The command that begins a job again. */
function commandOf({ kind, subject }: Job): CommandKey {
  if (kind === 'install-runtime') return 'runtimes';
  return kind === 'check-installation' ? 'doctor' : `install ${subject}`;
}

/** Shows a job's whole log on request, and its newest lines while it runs. */
function JobLogView({ job, whole }: { readonly job: Job; readonly whole: boolean }) {
  const newest = job.state === 'running' ? job.logTail : null;
  if (whole) return <WholeLog job={job} newest={newest} />;
  return newest && <NewestLines job={job} lines={newest} />;
}

/** Shows their end, until the reader scrolls up. */
function NewestLines({ job, lines }: Omit<LogLinesProps, 'box'>) {
  const box = useFollowTail<HTMLPreElement>(lines);
  return <LogLines job={job} lines={lines} box={box} />;
}

/** Asks for the log, again when the job has ended. `newest` is shown until then. */
function WholeLog({ job, newest }: { readonly job: Job; readonly newest: readonly string[] | null }) {
  const { value, error } = useAsked<JobLog>(['job-log', job.id, job.state], (call, signal) =>
    call('getJobLog', { params: { jobId: job.id }, signal }),
  );
  const lines = value?.lines ?? newest;
  return (
    <>
      {value?.truncated && <p className="muted small">{logCutText}</p>}
      {lines && <LogLines job={job} lines={lines} />}
      {error && <p className="small">{logFailedText(error.message)}</p>}
    </>
  );
}

interface LogLinesProps {
  readonly job: Job;
  readonly lines: readonly string[];
  readonly box?: Pick<ReturnType<typeof useFollowTail<HTMLPreElement>>, 'box' | 'onScroll'>;
}

function LogLines({ job, lines, box }: LogLinesProps) {
  const title = useDashboard((s) => subjectTitle(job, s));
  return (
    <pre
      className="job-log"
      role="log"
      aria-live="off"
      aria-label={`Log of ${title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      ref={box?.box}
      onScroll={box?.onScroll}
    >
      {lines.length > 0 ? <LogText lines={lines} /> : emptyLogText}
    </pre>
  );
}
