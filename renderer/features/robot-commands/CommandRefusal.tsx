import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { RobotOrder } from '../../slices/robot/robot-commands.ts';

/** `of`: the orders that are given where this stands. */
export const OrderRefusal = ({ of }: { readonly of: readonly RobotOrder[] }) => <RefusalNote place="robot" of={of} />;
