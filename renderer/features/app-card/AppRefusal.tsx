import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { AppOrder } from '../../slices/apps/app-commands.ts';

interface AppRefusalProps {
  readonly name: string;
  /** The orders that are given where this stands. */
  readonly of: readonly AppOrder[];
}

export const AppRefusal = ({ name, of }: AppRefusalProps) => <RefusalNote place={`app ${name}`} of={of} />;
