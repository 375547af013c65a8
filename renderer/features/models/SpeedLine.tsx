import type { MeasuredSpeed } from '../../../daemon/contract/catalog/models.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { speedText } from './model-text.ts';

interface SpeedLineProps {
  /** undefined: not measured; then nothing is shown. */
  readonly speed: MeasuredSpeed | undefined;
  /** Whether the program and the graphics card are named. */
  readonly showsWhere?: boolean;
}

/** How fast a model was on this machine, and when that was. */
export function SpeedLine({ speed, showsWhere = false }: SpeedLineProps) {
  if (!speed) return null;
  const where = showsWhere ? [speed.program, speed.card].filter((each) => each !== null).join(', ') : '';
  return (
    <p className="muted small">
      {speedText(speed)} here, measured <TimeAgo at={speed.measuredAt} />
      {where !== '' && ` with ${where}`}
    </p>
  );
}
