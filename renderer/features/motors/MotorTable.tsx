import type { Motor } from '../../../daemon/contract/robot/robot.ts';
import { decimals } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { motorStateText } from './motor-text.ts';
import '../../parts/figures.css';

export function MotorTable({ motors }: { readonly motors: readonly Motor[] }) {
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
  const { word, tone } = motorStateText(motor);
  return (
    <tr className={answers ? undefined : 'muted'}>
      {/* The name that the daemon's messages use. */}
      <th scope="row" className="mono">
        {name} <span className="motor-id muted">id {id}</span>
      </th>
      <td>
        <StateWord tone={tone}>{word}</StateWord>
      </td>
      <td>{torque ? 'On' : 'Off'}</td>
      <td className="number mono">{temperatureC === null ? '–' : `${decimals(temperatureC, 0)} °C`}</td>
      <td className="number mono">{voltageV === null ? '–' : `${decimals(voltageV)} V`}</td>
    </tr>
  );
}
