import { Button } from '@mantine/core';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import type { CrashDiagnosis } from '../../../daemon/contract/apps/diagnosis.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CopyButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { answered } from '../../slices/base/answers.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ReturnButton } from '../versions/RollbackNote.tsx';
import { causedRollback } from '../versions/version-text.ts';
import { ChooseModelButton } from './ChooseModelButton.tsx';
import { ProcessList } from './RunNotes.tsx';
import { crashDetails, isFailure, ownLineText } from './run-text.ts';
import './run-notes.css';
import '../../parts/notes/job-log.css';

interface CrashNoteProps {
  readonly run: AppRun;
  /** Omits the actions, on the page of the run itself. */
  readonly past?: boolean;
  /** Names the app in the title, with a link to it. */
  readonly away?: boolean;
  readonly onDismiss?: () => void;
}

/** Shows why a run failed: the cause, the app's own line, what to do, and the evidence. Start is the app's own button. */
export function CrashNote({ run, past = false, away = false, onDismiss }: CrashNoteProps) {
  const app = useDashboard((s) => s.installedApps.find(({ name }) => name === run.appName));
  const title = useDashboard((s) => titleOf(s, run.appName));
  const { diagnosis } = run;
  const missing = diagnosis?.missingVariables ?? [];
  const toSet = useVariablesToSet(run);
  // The version that crashed may no longer be installed.
  const wasRolledBack = app !== undefined && !past && causedRollback(run, app);
  const isInPlace = app?.version === run.version && !wasRolledBack;
  const message = diagnosis?.message ?? run.message;
  return (
    <Note
      tone={isFailure(run) ? 'failed' : 'idle'}
      title={
        away ? (
          <>
            <a href={hrefOf('apps', { appName: run.appName })}>
              <Foreign>{title}</Foreign>
            </a>
            : {message}
          </>
        ) : (
          message
        )
      }
      {...(onDismiss && { dismiss: { name: 'Dismiss this message', onDismiss } })}
      actions={
        !past && (
          <>
            {app &&
              missing.map((name) => (
                <SetVariable
                  key={name}
                  appName={app.name}
                  name={name}
                  isSet={!toSet.includes(name)}
                  primary={name === toSet[0]}
                />
              ))}
            {app && diagnosis?.need && <ChooseModelButton appName={app.name} need={diagnosis.need} />}
            {diagnosis?.endpoint && (
              <SmallButton component="a" href={hrefOf('models', { endpointId: endpointId(diagnosis.endpoint) })}>
                See {endpointId(diagnosis.endpoint)}
              </SmallButton>
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
      {diagnosis && <OwnLine diagnosis={diagnosis} />}
      {diagnosis && <p>{diagnosis.action}</p>}
      {wasRolledBack && (
        <p>
          {run.version} was rolled back automatically: {app.version} is installed again.
        </p>
      )}
      <ProcessList processes={run.killed} />
      {diagnosis && diagnosis.evidence.length > 0 && (
        <details className="evidence">
          <summary>Lines of its output</summary>
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

function OwnLine({ diagnosis }: { readonly diagnosis: CrashDiagnosis }) {
  const { place, code } = ownLineText(diagnosis);
  if (!place && !code) return null;
  return (
    <p className="own-line">
      {place && <span className="mono">{place}</span>}
      {code && <code>{code}</code>}
    </p>
  );
}

/** Names the environment variables of an app. */
export const variablesKey = (appName: string) => ['variables', appName];

/** The variables that the run missed and that are not set since. @param run null: none */
export function useVariablesToSet(run: AppRun | null): readonly string[] {
  const variables = useDashboard(answered<readonly AppVariable[]>(variablesKey(run?.appName ?? '')));
  const missing = run?.diagnosis?.missingVariables ?? [];
  return missing.filter((name) => !variables?.some((each) => each.name === name));
}

interface SetVariableProps {
  readonly appName: string;
  readonly name: string;
  /** Whether it has a value now. */
  readonly isSet: boolean;
  readonly primary: boolean;
}

/** Opens the app's variables at one that is to be set. */
function SetVariable({ appName, name, isSet, primary }: SetVariableProps) {
  const query = new URLSearchParams({ set: name }).toString();
  return (
    <Button
      component="a"
      variant={primary ? 'filled' : 'default'}
      size="compact-sm"
      href={hrefOf('apps', { appName, tab: 'variables', query })}
    >
      {isSet ? 'Change' : 'Set'} {name}
    </Button>
  );
}
