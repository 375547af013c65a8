import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: ReactNode;
  /** Beside the heading. */
  readonly beside?: ReactNode;
  /** The class of the heading with what is beside it. */
  readonly headClass?: string;
  readonly children: ReactNode;
}

/** A card with a heading. */
export function Section({ title, beside, headClass = 'row bar', children }: SectionProps) {
  const id = useId();
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className="card stack" aria-labelledby={id}>
      {beside === undefined ? (
        heading
      ) : (
        <div className={headClass}>
          {heading}
          {beside}
        </div>
      )}
      {children}
    </section>
  );
}
