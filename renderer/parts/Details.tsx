import type { ReactNode } from 'react';
import './details.css';

interface DetailsProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** Facts for those who ask: folded until they do. */
export function Details({ title = 'Details', children }: DetailsProps) {
  return (
    <details className="details">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
