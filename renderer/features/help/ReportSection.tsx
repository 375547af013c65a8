import { useMemo, useState } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { ProblemReport, ReportPart } from '../../../daemon/contract/doctor/problem-report.ts';
import { reportFile } from '../../../daemon/contract/doctor/report-file.ts';
import { SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { LogText } from '../../parts/LogText.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { saveText } from '../../parts/save-text.ts';
import { installationCheckKey } from '../../slices/apps/jobs-slice.ts';
import { answered } from '../../slices/base/answers.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useAskedSection } from '../settings/use-asked-section.ts';
import { maskedText, reportText, savingText } from './help-text.ts';
import '../../parts/notes/job-log.css';
import '../../parts/rows.css';

/** Makes a report of a problem, shows all that is in it, and saves what its user leaves in. */
export function ReportSection() {
  const send = useDashboard((s) => s.send);
  const isReady = useDashboard((s) => answered(installationCheckKey)(s) !== null); // the section above has its height
  const section = useAskedSection('report', isReady);
  const [report, setReport] = useState<ProblemReport | null>(null);
  async function make(): Promise<void> {
    const made = await send('doctor', (call) => call('getProblemReport'), 'report');
    if (made) setReport(made);
  }
  return (
    <section ref={section} className="card stack" aria-labelledby="report">
      <h2 id="report">Report a problem</h2>
      <p className="muted">{reportText}</p>
      <RefusalNote commandKey="doctor" commands={['report']} />
      {report && <ReportParts key={report.createdAt} report={report} />}
      <div className="row">
        <SendButton
          commandKey="doctor"
          command="report"
          copies={{ title: 'Collect the report', command: ownCommands.report, request: null }}
          size="sm"
          busy="Collecting…"
          onClick={() => void make()}
        >
          {report ? 'Collect again' : 'Collect the report'}
        </SendButton>
      </div>
    </section>
  );
}

const sizeOf = ({ text }: ReportPart): number => new TextEncoder().encode(text).length;

/** The parts of a report with their sizes. They are saved as shown: no part is collected again. */
function ReportParts({ report }: { readonly report: ProblemReport }) {
  const { parts } = report;
  const sizes = useMemo(() => new Map(parts.map((part) => [part.id, sizeOf(part)])), [parts]);
  /** By the id of a part; one that is not here is in the report as the daemon proposes. */
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const [saved, setSaved] = useState<string | null>(null);
  const isChosen = ({ id, isIncluded }: ReportPart) => choices[id] ?? isIncluded;
  const chosen = parts.filter(isChosen);
  const bytes = chosen.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
  function choose(id: string, isIn: boolean): void {
    setChoices({ ...choices, [id]: isIn });
    setSaved(null);
  }
  function save(): void {
    const { name, text } = reportFile(report, new Set(chosen.map(({ id }) => id)));
    saveText(name, text);
    setSaved(name);
  }
  return (
    <>
      <p className="muted">{maskedText}</p>
      <ul className="rows" aria-label="Parts of the report">
        {parts.map((part) => (
          <PartRow
            key={part.id}
            part={part}
            bytes={sizes.get(part.id) ?? 0}
            isChosen={isChosen(part)}
            onChoose={(isIn) => choose(part.id, isIn)}
          />
        ))}
      </ul>
      <div className="row">
        <SmallButton
          size="sm"
          variant="filled"
          leftSection={<InstallIcon size={16} />}
          disabled={chosen.length === 0}
          onClick={save}
        >
          Save the report
        </SmallButton>
        <span className="muted small" role="status">
          {saved === null ? `${counted(chosen.length, 'part')}, ${byteText(bytes)}` : savingText(saved)}
        </span>
      </div>
    </>
  );
}

interface PartRowProps {
  readonly part: ReportPart;
  readonly bytes: number;
  readonly isChosen: boolean;
  readonly onChoose: (isIn: boolean) => void;
}

function PartRow({ part: { title, text }, bytes, isChosen, onChoose }: PartRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className="row help-part">
        <label className="help-part-choice">
          <input type="checkbox" checked={isChosen} onChange={({ currentTarget }) => onChoose(currentTarget.checked)} />
          <Foreign>{title}</Foreign>
        </label>
        <span className="muted small">{byteText(bytes)}</span>
      </div>
      <details className="small" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          Look at it<span className="visually-hidden">: {title}</span>
        </summary>
        {open && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <pre className="job-log" role="log" aria-live="off" aria-label={title} tabIndex={0}>
            <LogText lines={text.trimEnd().split('\n')} />
          </pre>
        )}
      </details>
    </li>
  );
}
