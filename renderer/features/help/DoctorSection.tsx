import { ownCommands } from '../../../daemon/client/command-words.ts';
import type {
  InstallationCheck,
  InstallationFinding,
  LastInstallationCheck,
} from '../../../daemon/contract/doctor/installation-check.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { installationCheckKey } from '../../slices/apps/jobs-slice.ts';
import { useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { FindingRepairPart } from './FindingRepairPart.tsx';
import {
  cancelledText,
  doctorHelp,
  neverCheckedText,
  resultText,
  severities,
  whatText,
  whereText,
} from './help-text.ts';
import '../../parts/rows.css';

/** Checks this installation by a job, and shows what the last check found. */
export function DoctorSection() {
  const job = useDashboard((s) => s.jobs.find(({ kind }) => kind === 'check-installation'));
  const checkInstallation = useDashboard((s) => s.checkInstallation);
  // The result is there once the job has ended.
  const asked = useAskedAfter<LastInstallationCheck>(job?.endedAt ?? null, installationCheckKey, (call, signal) =>
    call('getInstallationCheck', { signal }),
  );
  return (
    <Section title="This installation">
      <p className="muted">{doctorHelp}</p>
      <RefusalNote commandKey="doctor" commands={['check']} />
      {job && isActive(job) ? (
        <JobProgress job={job} />
      ) : (
        <div className="row">
          <SendButton
            commandKey="doctor"
            command="check"
            copies={{ ...callAction('Check', 'checkInstallation'), command: ownCommands.doctor }}
            primary
            onClick={() => void checkInstallation()}
          >
            {asked.value?.check ? 'Check again' : 'Check this installation'}
          </SendButton>
          {job?.state === 'cancelled' && <span className="muted small">{cancelledText}</span>}
        </div>
      )}
      {job?.failure && <FailureNote failure={job.failure} />}
      <LoadedPart of={asked} failure="The last check could not be loaded" rows={2}>
        {({ check }) => (check === null ? <p className="muted">{neverCheckedText}</p> : <CheckResult check={check} />)}
      </LoadedPart>
    </Section>
  );
}

function CheckResult({ check: { checkedAt, facts, findings } }: { readonly check: InstallationCheck }) {
  return (
    <>
      <p role="status">
        {resultText(findings)}{' '}
        <span className="muted small">
          Checked <TimeAgo at={checkedAt} />
        </span>
      </p>
      {severities.map(({ severity, title, tone }) => {
        const ofSeverity = findings.filter((finding) => finding.severity === severity);
        if (ofSeverity.length === 0) return null;
        return (
          <section key={severity} aria-label={title}>
            <h3>{title}</h3>
            <ul className="rows">
              {ofSeverity.map((finding) => (
                <li key={`${finding.code} ${finding.where}`} className="help-finding">
                  <StateMark tone={tone} />
                  <FindingText finding={finding} checkedAt={checkedAt} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <details>
        <summary>Tools and services that were found</summary>
        <dl className="facts">
          {facts.map(({ name, text }) => (
            <Fact key={name} name={name}>
              <Foreign>{text}</Foreign>
            </Fact>
          ))}
        </dl>
      </details>
    </>
  );
}

interface FindingTextProps {
  readonly finding: InstallationFinding;
  readonly checkedAt: string;
}

function FindingText({ finding, checkedAt }: FindingTextProps) {
  const { cause } = finding;
  const where = whereText(finding);
  return (
    <div className="stack tight help-finding-text">
      <Foreign as="p">{whatText(finding)}</Foreign>
      {cause !== null && <p className="small">Likely cause: {cause}</p>}
      {where !== null && (
        <p className="muted small mono anywhere">
          <Foreign>{where}</Foreign>
        </p>
      )}
      {/* A repair counts as done until the next check. */}
      <FindingRepairPart key={checkedAt} finding={finding} checkedAt={checkedAt} />
    </div>
  );
}
