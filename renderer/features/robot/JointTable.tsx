import { decimals, degrees } from '../../parts/format.ts';
import { isDisconnected } from '../../slices/robot/robot-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type Joint, joints } from './joints.ts';
import '../../parts/figures.css';

export function JointTable() {
  const disconnected = useDashboard(isDisconnected);
  return (
    <table className={disconnected ? 'figures joint-table muted' : 'figures joint-table'}>
      <caption className="visually-hidden">The joints, in degrees, within their limits</caption>
      <thead>
        <tr>
          <th scope="col">Joint</th>
          <th scope="col" className="number">
            {disconnected ? 'Last seen' : 'Position'}
          </th>
          <th scope="col" className="joint-limit number">
            Min
          </th>
          <th scope="col">Within limits</th>
          <th scope="col" className="joint-limit joint-max">
            Max
          </th>
        </tr>
      </thead>
      <tbody>
        {joints.map((joint) => (
          <JointRow key={joint.name} joint={joint} />
        ))}
      </tbody>
    </table>
  );
}

/** Renders only when the joint's rounded position changes, not with each pose. */
function JointRow({ joint }: { readonly joint: Joint }) {
  const shown = useDashboard(({ pose }) => (pose ? degrees(joint.position(pose.joints)).toFixed(1) : null));
  const [min, max] = [degrees(joint.min), degrees(joint.max)];
  const value = Number(shown ?? 0);
  const text = `${decimals(value)}°`;
  return (
    <tr>
      <th scope="row">{joint.name}</th>
      <td className="number mono">{text}</td>
      <td className="joint-limit number mono muted">{decimals(min, 0)}°</td>
      <td className="joint-bar">
        <JointMeter name={joint.name} value={value} min={min} max={max} text={text} />
      </td>
      <td className="joint-limit joint-max mono muted">{decimals(max, 0)}°</td>
    </tr>
  );
}

interface JointMeterProps {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly text: string;
}

/** A bar filled from zero to the position. */
function JointMeter({ name, value, min, max, text }: JointMeterProps) {
  const across = (angle: number) => Math.max(0, Math.min(100, ((angle - min) / (max - min)) * 100));
  const [zero, here] = [across(0), across(value)];
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be filled from the middle
    <div
      className="joint-meter"
      role="meter"
      aria-label={name}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={text}
    >
      <span className="joint-fill" style={{ left: `${Math.min(zero, here)}%`, width: `${Math.abs(here - zero)}%` }} />
      <span className="joint-zero" style={{ left: `${zero}%` }} />
      <span className="joint-position" style={{ left: `${here}%` }} />
    </div>
  );
}
