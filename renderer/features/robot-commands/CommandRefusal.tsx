import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { RobotCommand } from '../../slices/robot/robot-commands.ts';

/** Shows refusals of these commands of the robot. */
export const CommandRefusal = ({ commands }: { readonly commands: readonly RobotCommand[] }) => (
  <RefusalNote commandKey="robot" commands={commands} />
);
