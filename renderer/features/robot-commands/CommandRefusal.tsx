import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { RobotCommand } from '../../slices/robot/robot-commands.ts';

/** `of`: the orders that are given where this stands. */
export const CommandRefusal = ({ of }: { readonly of: readonly RobotCommand[] }) => (
  <RefusalNote commandKey="robot" of={of} />
);
