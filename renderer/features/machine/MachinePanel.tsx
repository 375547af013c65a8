import { SignInCard } from '../session/SignInCard.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';
import { GraphicsCardsSection } from './GraphicsCardsSection.tsx';
import { ModelFilesSection } from './ModelFilesSection.tsx';
import { OwnFileSection } from './OwnFileSection.tsx';
import { ProgramsSection } from './ProgramsSection.tsx';
import './machine.css';

interface MachinePanelProps {
  /** The rest of the address's query: it may name a model file. */
  readonly query?: string;
}

/** Models on this machine: the programs that run them, the graphics cards, a file of the user's own, the downloaded files. */
export function MachinePanel({ query = '' }: MachinePanelProps) {
  const signedIn = useSignedIn();
  return (
    <div className="stack">
      {signedIn === false && <SignInCard to="change what is on this machine" />}
      <ProgramsSection mayChange={signedIn === true} />
      <GraphicsCardsSection mayChange={signedIn === true} />
      <OwnFileSection mayChange={signedIn === true} query={query} />
      <ModelFilesSection mayChange={signedIn === true} />
    </div>
  );
}
