import type { PoseMatrix, RobotPose, RobotState } from '../../../daemon/contract/robot/robot.ts';
import { degrees } from '../../parts/format.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './robot-drawing.css';

interface RobotDrawingProps {
  readonly pose: RobotPose;
  readonly state: RobotState['state'];
  /** Draws a loose cable. */
  readonly unplugged: boolean;
}

const closedEyes: readonly RobotState['state'][] = ['asleep', 'going-to-sleep', 'disconnected'];

const wave = (angle: number) => Math.sin((angle * Math.PI) / 180);

/** Draws the robot's measured pose from the front, so its left is on the right. */
function RobotDrawing({ pose, state, unplugged }: RobotDrawingProps) {
  const head = headPose(pose.head);
  const [right = 0, left = 0] = pose.joints.antennas.map(degrees);
  // Forward is drawn larger, the robot's left to the right; 1 mm is 0.55 units of the drawing.
  const shift = `translate(${head.y * 0.55} ${-head.z * 0.55})`;
  const headTransform = `${shift} rotate(${-head.roll} 120 132) translate(120 132) scale(${1 + head.x / 400}) translate(-120 -132)`;
  return (
    <svg
      className={`robot-drawing robot-${state}`}
      viewBox="-10 6 260 256"
      role="img"
      aria-label="The robot, drawn from its joints"
    >
      {unplugged && <LooseCable />}
      <Body yaw={degrees(pose.joints.bodyYaw)} />
      <path className="robot-neck" d={neckTo(head)} />
      <g transform={headTransform}>
        <rect className="robot-shell" x="52" y="82" width="136" height="92" rx="40" />
        <Face head={head} eyesClosed={closedEyes.includes(state)} />
        <Antenna side="right" angle={right} />
        <Antenna side="left" angle={left} />
      </g>
    </svg>
  );
}

function Antenna({ side, angle }: { readonly side: 'left' | 'right'; readonly angle: number }) {
  const x = side === 'right' ? 68 : 172;
  return (
    <g className="robot-antenna" transform={`rotate(${angle} ${x} 94)`}>
      <path d={`M${x} 94V46`} />
      <path className="robot-coil" d={`M${x - 4} 82h8m-8-6h8m-8-6h8`} />
      <circle className="robot-joint" cx={x} cy="94" r="5" />
      <circle className="robot-tip" cx={x} cy="40" r="7" />
    </g>
  );
}

/** Moves the eyes with the head's yaw and pitch. */
function Face({ head, eyesClosed }: { readonly head: HeadPose; readonly eyesClosed: boolean }) {
  const x = 120 + wave(head.yaw) * 46;
  const y = 128 + wave(head.pitch) * 40;
  const squeeze = Math.max(0.45, Math.cos((head.yaw * Math.PI) / 180));
  const gap = 27 * squeeze;
  return (
    <g className="robot-face">
      <rect x={x - 50 * squeeze} y={y - 25} width={100 * squeeze} height="50" rx="25" />
      {[x - gap, x + gap].map((eye, index) =>
        eyesClosed ? (
          <path key={index === 0 ? 'right' : 'left'} className="robot-lid" d={`M${eye - 9} ${y}q9 7 18 0`} />
        ) : (
          <ellipse key={index === 0 ? 'right' : 'left'} cx={eye} cy={y} rx={10 * squeeze} ry="11" />
        ),
      )}
    </g>
  );
}

/** Draws the yaw by the seam and the lamp on the body, and by the mark on the foot's dial. */
function Body({ yaw }: { readonly yaw: number }) {
  const facing = Math.cos((yaw * Math.PI) / 180);
  const seam = 120 + wave(yaw) * 48;
  return (
    <g>
      <ellipse className="robot-dial" cx="120" cy="244" rx="80" ry="14" />
      <path className="robot-shell" d="M70 178h100l8 58a58 12 0 0 1-116 0Z" />
      {facing > 0 && (
        <g opacity={Math.min(1, facing * 2)}>
          <ellipse className="robot-lamp" cx={seam} cy="204" rx={7 * facing} ry="7" />
          <path className="robot-seam" d={`M${seam} 218v20`} />
        </g>
      )}
      <ellipse className="robot-mark" cx={120 + wave(yaw) * 80} cy={244 + facing * 14} rx="5" ry="4" />
    </g>
  );
}

/** A cable with an unplugged end. */
function LooseCable() {
  return (
    <g className="robot-cable">
      <path d="M168 222C196 222 190 200 210 200" />
      <rect x="208" y="191" width="19" height="18" rx="4" />
      <path className="robot-plug" d="M227 195.500h9v9h-9" />
    </g>
  );
}

/** The path from the top of the body to the underside of the head. */
function neckTo({ y, z, roll }: HeadPose): string {
  const x = 120 + y * 0.55 - wave(roll) * -30;
  const top = 164 - z * 0.55;
  return `M94 184 ${x - 30} ${top}H${x + 30}L146 184Z`;
}

/** The drawing of the robot. Renders with each pose. */
export function LiveRobot() {
  const pose = useDashboard((s) => s.pose);
  const state = useDashboard((s) => s.robot?.state);
  const unplugged = useDashboard(({ robot }) => robot?.state === 'disconnected' && robot.action !== null);
  return pose && state ? <RobotDrawing pose={pose} state={state} unplugged={unplugged} /> : null;
}

/** In degrees and millimetres. Positive roll lifts the robot's left side, pitch looks down, yaw looks to its left. */
export interface HeadPose {
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Reads a row-major matrix composed as yaw · pitch · roll. */
export function headPose(matrix: PoseMatrix): HeadPose {
  const at = (row: number, column: number) => matrix[row * 4 + column] ?? 0;
  return {
    roll: degrees(Math.atan2(at(2, 1), at(2, 2))),
    pitch: degrees(Math.asin(Math.max(-1, Math.min(1, -at(2, 0))))),
    yaw: degrees(Math.atan2(at(1, 0), at(0, 0))),
    x: at(0, 3) * 1000,
    y: at(1, 3) * 1000,
    z: at(2, 3) * 1000,
  };
}
