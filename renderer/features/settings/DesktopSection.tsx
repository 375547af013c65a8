import type { DesktopChanges, DesktopStatus, DesktopUpdate, UpdateStep } from '../../../daemon/contract/desktop.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CommandLine } from '../../parts/actions/CommandLine.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { transferText } from '../../parts/notes/progress-text.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StepBar } from '../activity/JobProgress.tsx';
import { closingChoices, hiddenText, loginHelp, otherDaemon, updatesHelp, updateText } from './desktop-text.ts';
import { useAskedSection } from './use-asked-section.ts';

const UPDATE = 'update';
const CHANGE = 'change';

/** The settings of the desktop program, in its window only: closing, opening at login, newer versions. */
export function DesktopSection() {
  const desktop = useDashboard((s) => s.daemon?.desktop);
  const version = useDashboard((s) => s.daemon?.version);
  const section = useAskedSection('desktop', version !== undefined);
  if (version === undefined) return null;
  return (
    <section ref={section} className="card stack" aria-labelledby="desktop">
      <h2 id="desktop">The window</h2>
      {desktop ? (
        <>
          <ClosingPart desktop={desktop} />
          <LoginPart desktop={desktop} />
          <RefusalNote commandKey="desktop" commands={[CHANGE]} />
          <UpdatePart desktop={desktop} version={version} />
          <RefusalNote commandKey="desktop" commands={[UPDATE]} />
        </>
      ) : (
        <p>{otherDaemon}</p>
      )}
    </section>
  );
}

/** Sends a change; the daemon tells the new settings to all its pages. */
function useChange() {
  const send = useDashboard((s) => s.send);
  return (body: DesktopChanges) => void send('desktop', (call) => call('changeDesktop', { body }), CHANGE);
}

const changeAction = (body: DesktopChanges) => callAction('Change', 'changeDesktop', { body });

interface PartProps {
  readonly desktop: DesktopStatus;
}

function ClosingPart({ desktop: { closing, noTray } }: PartProps) {
  const change = useChange();
  if (noTray !== null) return <p>{noTray}</p>;
  if (closing === null) return null;
  return (
    <RadioList
      legend="When I close the window"
      choices={closingChoices}
      chosen={closing}
      onChoose={(chosen) => change({ closing: chosen })}
    />
  );
}

function LoginPart({ desktop: { opensAtLogin, opensHidden, noTray } }: PartProps) {
  const change = useChange();
  const { blocked } = useCommand('desktop', CHANGE);
  return (
    <>
      <DescribedSwitch
        name="Open at login"
        isOn={opensAtLogin}
        disabled={blocked}
        onSwitch={(isOn) => change({ opensAtLogin: isOn })}
        copies={changeAction({ opensAtLogin: !opensAtLogin })}
      >
        {loginHelp}
      </DescribedSwitch>
      <DescribedSwitch
        name="Without its window"
        isOn={opensHidden}
        disabled={blocked || !opensAtLogin}
        onSwitch={(isOn) => change({ opensHidden: isOn })}
        copies={changeAction({ opensHidden: !opensHidden })}
      >
        {hiddenText(noTray === null)}
      </DescribedSwitch>
    </>
  );
}

function UpdatePart({ desktop: { looksForUpdates, update }, version }: PartProps & { readonly version: string }) {
  const change = useChange();
  const { blocked } = useCommand('desktop', CHANGE);
  const cannotLook = update.state === 'off' && update.reason !== null;
  const text = updateText(update, version);
  return (
    <>
      <DescribedSwitch
        name="Check for newer versions"
        isOn={looksForUpdates && !cannotLook}
        disabled={blocked || cannotLook}
        onSwitch={(isOn) => change({ looksForUpdates: isOn })}
        copies={changeAction({ looksForUpdates: !looksForUpdates })}
      >
        {cannotLook ? update.reason : updatesHelp}
      </DescribedSwitch>
      <p role="status">
        {'version' in update && (
          <>
            Version <Foreign>{update.version}</Foreign> {update.state === 'ready'
              ? 'is downloaded.'
              : 'is available.'}{' '}
          </>
        )}
        {text !== null && !cannotLook && <span className="muted small">{text}</span>}
      </p>
      <UpdateControls update={update} />
    </>
  );
}

/** The one thing to do next about an update: a button of its own each, so that none is pressed in the place of another. */
function UpdateControls({ update }: { readonly update: DesktopUpdate }) {
  switch (update.state) {
    case 'none':
    case 'looking':
    case 'failed':
      return (
        <div className="row">
          <UpdateButton key="look" step="look" loading={update.state === 'looking'}>
            Check now
          </UpdateButton>
        </div>
      );
    case 'available':
      if (update.command !== null) return <CommandLine command={update.command} purpose="installs the newer version" />;
      if (update.by === 'hand') return null;
      return (
        <div className="row">
          <UpdateButton key="download" step="download">
            Download it
          </UpdateButton>
        </div>
      );
    case 'downloading':
      return (
        <div className="job-progress">
          <div className="job-progress-bar">
            <StepBar
              step={{ name: 'download', title: 'Downloading the newer version', state: 'running' }}
              transfer={update.transfer}
              isNamed
            />
          </div>
          <div className="row bar">
            <p className="muted small">{transferText(update.transfer)}</p>
            <UpdateButton step="cancel">Cancel</UpdateButton>
          </div>
        </div>
      );
    case 'ready':
      return (
        <div className="row">
          <UpdateButton key="install" step="install">
            Quit and install it
          </UpdateButton>
        </div>
      );
    default:
      return null;
  }
}

interface UpdateButtonProps {
  readonly step: UpdateStep;
  readonly loading?: boolean;
  readonly children: string;
}

function UpdateButton({ step, loading = false, children }: UpdateButtonProps) {
  const send = useDashboard((s) => s.send);
  return (
    <SendButton
      commandKey="desktop"
      command={UPDATE}
      loading={loading}
      onClick={() => void send('desktop', (call) => call('updateDesktop', { body: { step } }), UPDATE)}
    >
      {children}
    </SendButton>
  );
}
