import type { ReactNode } from 'react';

interface FactProps {
  readonly name: string;
  /** Whether it is a name, a path or a version, in the font of programs. */
  readonly mono?: boolean;
  readonly children: ReactNode;
}

/** One entry of a `<dl className="facts">`. */
export function Fact({ name, mono = false, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{mono ? <span className="mono">{children}</span> : children}</dd>
    </div>
  );
}
