import type { CheckFinding, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { CopyButton, SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { placeText, severityText } from './own-app-page-text.ts';

/** The findings of a check by file, each with its line and what to do. */
export function FindingList({ app, findings }: { readonly app: OwnApp; readonly findings: readonly CheckFinding[] }) {
  return (
    <>
      {[...Map.groupBy(findings, ({ file }) => file)].map(([file, ofFile]) => (
        <FileGroup key={file ?? ''} app={app} file={file} findings={ofFile} />
      ))}
    </>
  );
}

interface FileGroupProps {
  readonly app: OwnApp;
  /** null: the folder as a whole. */
  readonly file: string | null;
  readonly findings: readonly CheckFinding[];
}

function FileGroup({ app: { id }, file, findings }: FileGroupProps) {
  const canOpen = useDashboard((s) => s.ownApps.canOpen);
  const openOwnApp = useDashboard((s) => s.openOwnApp);
  const name = file ?? 'The folder as a whole';
  return (
    <section className="finding-group" aria-label={name}>
      <div className="finding-file">
        <h3 className={file === null ? undefined : 'mono'}>
          <Foreign>{name}</Foreign>
        </h3>
        {canOpen && file !== null && (
          <SendButton
            commandKey={`own-app ${id}`}
            command={`open ${file}`}
            onClick={() => void openOwnApp(id, file)}
            copies={callAction('Open', 'openOwnApp', { params: { ownAppId: id }, body: { file } })}
            aria-label={`Open ${file}`}
          >
            Open
          </SendButton>
        )}
      </div>
      {file !== null && <RefusalNote commandKey={`own-app ${id}`} commands={[`open ${file}`]} />}
      <ul>
        {findings.map((finding) => (
          <Finding key={`${finding.id} ${finding.line} ${finding.message}`} finding={finding} withCopy={!canOpen} />
        ))}
      </ul>
    </section>
  );
}

function Finding({ finding, withCopy }: { readonly finding: CheckFinding; readonly withCopy: boolean }) {
  const { severity, message, action, file, line } = finding;
  return (
    <li className="finding">
      <span className="finding-kind">
        <StateWord {...severityText[severity]} lasting />
        {line !== null && <span className="muted small">line {line}</span>}
      </span>
      <div className="finding-text">
        <FindingText message={message} action={action} />
      </div>
      {withCopy && file !== null && (
        <CopyButton
          text={() => placeText(file, line)}
          name={`Copy ${placeText(file, line)}`}
          copied={`${placeText(file, line)} copied`}
        />
      )}
    </li>
  );
}

/** The finding, and the advice about it. */
export function FindingText({ message, action }: Pick<CheckFinding, 'message' | 'action'>) {
  return (
    <>
      <Foreign as="p">{message}</Foreign>
      {action !== null && (
        <Foreign as="p" className="muted">
          {action}
        </Foreign>
      )}
    </>
  );
}
