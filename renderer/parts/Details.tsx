import type { ReactNode } from 'react';
import './details.css';

/** Facts for those who ask: folded until they do. */
export function Details({ children }: { readonly children: ReactNode }) {
  return (
    <details className="details">
      <summary>Technical details</summary>
      {children}
    </details>
  );
}
