import { Foreign } from '../../parts/Foreign.tsx';
import { Note } from '../../parts/notes/Note.tsx';

interface StoreProblemsProps {
  /** Why an app cannot be installed on this machine; empty: it can. */
  readonly problems: readonly string[];
}

/** Shows why an app cannot be installed on this machine. */
export function StoreProblems({ problems }: StoreProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <Note tone="failed" title="It cannot be installed on this machine.">
      <ProblemList problems={problems} />
    </Note>
  );
}

export function ProblemList({ problems }: StoreProblemsProps) {
  return (
    <ul className="store-problems">
      {problems.map((problem) => (
        <Foreign key={problem} as="li">
          {problem}
        </Foreign>
      ))}
    </ul>
  );
}
