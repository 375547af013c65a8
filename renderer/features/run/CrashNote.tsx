import { Button } from '@mantine/core';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ReturnButton } from '../versions/ReturnButton.tsx';
import { causedRollback } from '../versions/version-text.ts';
import { StartButton } from './AppControls.tsx';
import { ProcessList } from './ProcessList.tsx';
import { crashDetails, isFailure } from './run-text.ts';
import './run-notes.css';

interface CrashNoteProps {
  readonly run: AppRun;
  /** Adds Restart. Not where Start is shown beside it. */
  readonly withRestart?: boolean;
  /** Omits the actions, on the page of the run itself. */
  readonly past?: boolean;
  /** Names the app in the title. */
  readonly away?: boolean;
  readonly onDismiss?: () => void;
}

/** Shows why a run failed: the cause, the app's own line, what to do, and the evidence. */
export function CrashNote({ run, withRestart = false, past = false, away = false, onDismiss }: CrashNoteProps) {
  const app = useDashboard((s) => s.installedApps.find(({ name }) => name === run.appName));
  const { diagnosis } = run;
  const missing = diagnosis?.missingVariables ?? [];
  // The version that crashed may no longer be installed.
  const wasRolledBack = app !== undefined && !past && causedRollback(run, app);
  const isInPlace = app?.version === run.version && !wasRolledBack;
  const message = diagnosis?.message ?? run.message;
  return (
    <Note
      tone={isFailure(run) ? 'failed' : 'idle'}
      title={away ? `${app?.title ?? run.appName}: ${message}` : message}
      {...(onDismiss && { dismiss: { name: 'Dismiss this message', onDismiss } })}
      actions={
        !past && (
          <>
            {app &&
              missing.map((name, index) => (
                <SetVariable key={name} appName={app.name} name={name} primary={index === 0} />
              ))}
            {app && withRestart && (
              <StartButton name={app.name} compact {...(isInPlace ? { label: 'Restart' } : { version: app.version })} />
            )}
            {app?.previous && isInPlace && isFailure(run) && <ReturnButton app={app} />}
            <a href={hrefOf('apps', { appName: run.appName, tab: 'runs', run: run.runId })}>See its output</a>
            <span className="muted">
              <TimeAgo at={run.endedAt} />
            </span>
          </>
        )
      }
    >
      {diagnosis?.ownLine && (
        <p className="own-line">
          <span className="mono">
            {diagnosis.ownLine.file}:{diagnosis.ownLine.line}
          </span>
          {diagnosis.ownLine.code && <code>{diagnosis.ownLine.code}</code>}
        </p>
      )}
      {diagnosis && <p>{diagnosis.action}</p>}
      {wasRolledBack && (
        <p>
          {run.version} was rolled back automatically: {app.version} is installed again.
        </p>
      )}
      <ProcessList processes={run.killed} />
      {diagnosis && diagnosis.evidence.length > 0 && (
        <details className="evidence">
          <summary>Show details</summary>
          <pre
            className="job-log job-evidence"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
          >
            {diagnosis.evidence.join('\n')}
          </pre>
          <CopyButton text={() => crashDetails(run)} name="Copy details" copied="Details copied" />
        </details>
      )}
    </Note>
  );
}

interface SetVariableProps {
  readonly appName: string;
  readonly name: string;
  readonly primary: boolean;
}

/** Opens the app's variables at one that is to be set. */
function SetVariable({ appName, name, primary }: SetVariableProps) {
  const query = new URLSearchParams({ set: name }).toString();
  return (
    <Button
      component="a"
      variant={primary ? 'filled' : 'default'}
      size="compact-sm"
      href={hrefOf('apps', { appName, tab: 'variables', query })}
    >
      Set {name}
    </Button>
  );
}
