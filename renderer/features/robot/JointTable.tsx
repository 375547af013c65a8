import type { RobotJoints } from '../../../daemon/contract/robot/robot.ts';
import { decimals, degrees } from '../../parts/format.ts';
import { isDisconnected } from '../../slices/robot/robot-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
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

interface Joint {
  readonly name: string;
  /** Limits and position in radians. */
  readonly min: number;
  readonly max: number;
  readonly position: (joints: RobotJoints) => number;
}

const stewart = (index: number, min: number, max: number): Joint => ({
  name: `Stewart ${index + 1}`,
  min,
  max,
  position: (joints) => joints.stewart[index] ?? 0,
});

const antenna = (name: string, index: number): Joint => ({
  name,
  min: -Math.PI,
  max: Math.PI,
  position: (joints) => joints.antennas[index] ?? 0,
});

/** The nine joints and their limits. Stewart 1 to 6 carry the head. */
const joints: readonly Joint[] = [
  { name: 'Body yaw', min: -2.79253, max: 2.79253, position: ({ bodyYaw }) => bodyYaw },
  stewart(0, -0.837758, 1.39626),
  stewart(1, -1.39626, 1.22173),
  stewart(2, -0.837758, 1.39626),
  stewart(3, -1.39626, 0.837758),
  stewart(4, -1.22173, 1.39626),
  stewart(5, -1.39626, 0.837758),
  antenna('Right antenna', 0),
  antenna('Left antenna', 1),
];
