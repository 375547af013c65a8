import type { ReactNode } from 'react';
import './empty-state.css';

/** Says why a list is empty, with an action. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty-state">
      <h2>{title}</h2>
      <p className="muted">{children}</p>
      {action}
    </div>
  );
}
