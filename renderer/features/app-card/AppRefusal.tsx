import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import type { AppCommand } from '../../slices/apps/app-commands.ts';

interface AppRefusalProps {
  readonly name: string;
  /** The commands whose refusals are shown here. */
  readonly commands: readonly AppCommand[];
}

export const AppRefusal = ({ name, commands }: AppRefusalProps) => (
  <RefusalNote commandKey={`app ${name}`} commands={commands} />
);
