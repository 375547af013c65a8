import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { RobotCommand } from '../../slices/robot/robot-commands.ts';

/** Shows refusals of the commands in `of`. */
export const CommandRefusal = ({ of }: { readonly of: readonly RobotCommand[] }) => (
  <RefusalNote commandKey="robot" of={of} />
);
