import { Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Motor, MotorFault } from '../../../daemon/contract/robot/robot.ts';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { decimals } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { answerId } from '../../slices/base/answers.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { blockedReason } from '../../slices/robot/robot-commands.ts';
import { useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton, CommandRefusal } from './CommandButton.tsx';
import { foldInsteadText, motorsHelp, motorsWaitText, sinkText, waitsFor } from './robot-text.ts';
import '../../parts/figures.css';

const KEY = ['motors'];

export function MotorsPanel() {
  const motors = useMotors();
  const failure = useDashboard((s) => s.answers[answerId(KEY)]?.error);
  return (
    <section className="card stack motors-panel" aria-labelledby="motors-title">
      <h2 id="motors-title">Motors</h2>
      {failure && <Note tone="failed" title={failure.message} />}
      {motors && <MotorTable motors={motors} />}
      {motors && <MotorSwitch motors={motors} />}
      <CommandRefusal commands={['motorsOn', 'motorsOff']} />
    </section>
  );
}

const HINT_ID = 'motor-switch-hint';

/** Switching off asks for confirmation; switching on is safe, since the motors hold their position. */
function MotorSwitch({ motors }: { readonly motors: readonly Motor[] }) {
  const [confirming, setConfirming] = useState(false);
  const command = motors.some(({ torque }) => torque) ? 'motorsOff' : 'motorsOn';
  const reason = useDashboard((s) => s.robot && blockedReason(command, s.robot, holderOf(s)));
  const until = useDashboard((s) => s.robot && waitsFor(s.robot, holderOf(s)));
  return (
    <div className="row motor-switch">
      <CommandButton
        command={command}
        describedBy={HINT_ID}
        {...(command === 'motorsOff' && { onPress: () => setConfirming(true) })}
      >
        {command === 'motorsOff' ? 'Switch motors off…' : 'Switch motors on'}
      </CommandButton>
      <p id={HINT_ID} className="muted small">
        {reason === null ? motorsHelp[command] : until === null ? reason : motorsWaitText(until)}
      </p>
      <CopyMenu
        of="this switch"
        actions={[callAction('Switch', 'setMotorTorque', { body: { on: command === 'motorsOn' } })]}
      />
      <SwitchOffDialog opened={confirming} onClose={() => setConfirming(false)} />
    </div>
  );
}

/** Asks for confirmation before the motors stop holding the robot. */
function SwitchOffDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  function switchOff(): void {
    onClose();
    void sendRobotCommand('motorsOff');
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Switch the motors off">
      <div className="stack">
        <p>{sinkText}</p>
        <p className="muted">{foldInsteadText}</p>
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <CommandButton command="motorsOff" primary onPress={switchOff}>
            Switch off and let it sink
          </CommandButton>
        </div>
      </div>
    </Modal>
  );
}

function MotorTable({ motors }: { readonly motors: readonly Motor[] }) {
  return (
    <table className="figures motor-table">
      <caption className="visually-hidden">Motors, latest values</caption>
      <thead>
        <tr>
          <th scope="col">Motor</th>
          <th scope="col">Condition</th>
          <th scope="col" className="motor-torque">
            Torque
          </th>
          <th scope="col" className="number">
            Temp.
          </th>
          <th scope="col" className="number">
            Voltage
          </th>
        </tr>
      </thead>
      <tbody>
        {motors.map((motor) => (
          <MotorRow key={motor.id} motor={motor} />
        ))}
      </tbody>
    </table>
  );
}

function MotorRow({ motor }: { readonly motor: Motor }) {
  const { name, id, answers, torque, temperatureC, voltageV } = motor;
  return (
    <tr className={answers ? undefined : 'muted'}>
      {/* The name that the daemon's messages use. */}
      <th scope="row" className="mono">
        {name} <span className="motor-id muted">id {id}</span>
      </th>
      <td>
        <StateWord {...motorStateText(motor)} />
      </td>
      <td>{torque ? 'On' : 'Off'}</td>
      <td className="number mono">{temperatureC === null ? '–' : `${decimals(temperatureC, 0)} °C`}</td>
      <td className="number mono">{voltageV === null ? '–' : `${decimals(voltageV)} V`}</td>
    </tr>
  );
}

const faultText: Readonly<Record<MotorFault, string>> = {
  'input-voltage': 'Voltage out of range',
  overheating: 'Overheated',
  'electrical-shock': 'Overcurrent',
  overload: 'Overloaded',
};

/** The motor's condition: OK, no answer, or its faults. */
function motorStateText({ answers, faults }: Pick<Motor, 'answers' | 'faults'>): StateText {
  if (!answers) return { word: 'No answer', tone: 'offline' };
  if (faults.length === 0) return { word: 'OK', tone: 'done' };
  return { word: faults.map((fault) => faultText[fault]).join(', '), tone: 'failed' };
}

const POLL_INTERVAL_MS = 2_000;

/**
 * Loads the motors every 2 s, and at once when the robot's state changes, while a component uses this hook. A hidden
 * page has no connection, so it loads nothing.
 */
function useMotors(): readonly Motor[] | null {
  const connected = useDashboard(isConnected);
  const changes = useDashboard(({ robot }) => `${robot?.state} ${robot?.torque}`);
  const { value, loading, again } = useAskedAfter(changes, KEY, (call, signal) => call('listMotors', { signal }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    if (!connected || loading) return;
    const timer = setTimeout(again, POLL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [connected, loading]);
  return value;
}
