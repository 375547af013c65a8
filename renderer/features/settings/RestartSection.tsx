import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu } from '../../parts/actions/CopyMenu.tsx';
import { RefreshIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { isOwnUser } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import {
  COMES_BACK,
  isInterrupting,
  noneStopsText,
  restartCodeHelp,
  restartHelp,
  STARTED_ELSEWHERE,
  stopsText,
} from './restart-text.ts';
import '../../parts/rows.css';

/** Restarts the daemon, where its program can; else says why not. */
export function RestartSection() {
  const canRestart = useDashboard((s) => s.daemon?.canRestart === true);
  const mayRestart = useDashboard(isOwnUser);
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const menu = (
    <CopyMenu of="a restart" actions={[{ title: 'Restart', command: ownCommands.restart, request: null }]} />
  );
  return (
    <Section title="Restart" {...(!canRestart && { beside: menu })}>
      <p className="muted">{canRestart ? restartHelp : STARTED_ELSEWHERE}</p>
      {canRestart && (
        <div className="row">
          <SendButton
            size="sm"
            leftSection={<RefreshIcon size={16} />}
            disabled={mayRestart !== true}
            onClick={() => setAsking(true)}
          >
            Restart the daemon…
          </SendButton>
          {menu}
          {mayRestart === false && <span className="muted small">{restartCodeHelp}</span>}
        </div>
      )}
      <Modal opened={asking} onClose={close} title="Restart the daemon">
        <AskRestart onClose={close} />
      </Modal>
    </Section>
  );
}

/** Says what stops, and asks. While it restarts, the daemon that comes back is another one. */
function AskRestart({ onClose }: { readonly onClose: () => void }) {
  const send = useDashboard((s) => s.send);
  const slot = useDashboard((s) => s.slot);
  const holder = useDashboard(holderOf);
  const jobs = useDashboard((s) => s.jobs);
  const endpoints = useDashboard((s) => s.endpointsStatus);
  const instanceId = useDashboard((s) => s.daemon?.instanceId);
  /** The daemon that was asked to restart; null: none was yet. */
  const [ended, setEnded] = useState<string | null>(null);
  async function restart(): Promise<void> {
    const interrupt = isInterrupting({ slot, jobs });
    const reply = await send('restart', (call) => call('restartDaemon', { query: { interrupt } }));
    if (reply) setEnded(instanceId ?? null);
  }
  if (ended !== null) {
    const isBack = ended !== instanceId;
    return (
      <div className="stack">
        <p role="status">{isBack ? 'It has started again.' : `Restarting… ${COMES_BACK}`}</p>
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      </div>
    );
  }
  const stops = stopsText({ slot, holder, jobs, endpoints });
  return (
    <div className="stack">
      {stops.length === 0 ? (
        <p>{noneStopsText}</p>
      ) : (
        <ul className="rows" aria-label="What stops">
          {stops.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p className="muted">The robot folds. {COMES_BACK}</p>
      <RefusalNote commandKey="restart" stays fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it running
        </Button>
        <SendButton commandKey="restart" primary onClick={() => void restart()}>
          Restart the daemon
        </SendButton>
      </div>
    </div>
  );
}
