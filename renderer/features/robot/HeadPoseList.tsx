import { decimals } from '../../parts/format.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type HeadPose, headPose } from './head-pose.ts';

const parts: readonly { readonly key: keyof HeadPose; readonly name: string; readonly unit: string }[] = [
  { key: 'roll', name: 'Roll', unit: '°' },
  { key: 'pitch', name: 'Pitch', unit: '°' },
  { key: 'yaw', name: 'Yaw', unit: '°' },
  { key: 'x', name: 'X', unit: ' mm' },
  { key: 'y', name: 'Y', unit: ' mm' },
  { key: 'z', name: 'Z', unit: ' mm' },
];

/** Shows the head's pose relative to its neutral pose. */
export function HeadPoseList() {
  const matrix = useDashboard((s) => s.pose?.head);
  const head = matrix && headPose(matrix);
  return (
    <dl className="head-pose">
      {parts.map(({ key, name, unit }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd className="mono">{head ? `${decimals(head[key])}${unit}` : '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
