import './page-skeleton.css';

/** Stands in until the first snapshot, and only if that takes long enough to be noticed. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton" role="status" aria-label="Loading">
      <span className="skeleton-title" />
      <div>
        <span />
        <span />
      </div>
    </div>
  );
}
