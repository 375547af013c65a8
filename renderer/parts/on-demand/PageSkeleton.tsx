import './page-skeleton.css';

/** Shown until the first snapshot, after a short delay. */
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
