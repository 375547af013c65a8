import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { ModelFilesSection } from './ModelFilesSection.tsx';
import { OwnFileSection } from './OwnFileSection.tsx';
import { ProgramsSection } from './ProgramsSection.tsx';
import './machine.css';

interface MachinePanelProps {
  /** The rest of the address's query: it may name a model file. */
  readonly query?: string;
}

/** Models on this machine: the programs that run them, a file of the user's own, the downloaded files. */
export function MachinePanel({ query = '' }: MachinePanelProps) {
  const loadSession = useDashboard((s) => s.loadSession);
  const signedIn = useDashboard(isSignedIn);
  useWhenConnected(loadSession, '');
  return (
    <div className="stack">
      {signedIn === false && (
        <section className="card stack" aria-labelledby="machine-sign-in">
          <h2 id="machine-sign-in">Sign in to change what is on this machine</h2>
          <SignInForm />
        </section>
      )}
      <ProgramsSection mayChange={signedIn === true} />
      <OwnFileSection mayChange={signedIn === true} query={query} />
      <ModelFilesSection mayChange={signedIn === true} />
    </div>
  );
}
