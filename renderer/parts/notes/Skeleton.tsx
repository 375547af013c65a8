import './skeleton.css';

/** Stands where rows or cards will be while they are fetched, and shows itself only if that takes long enough. */
export function Skeleton({ rows, cards = false }: { readonly rows: number; readonly cards?: boolean }) {
  return (
    <div className={cards ? 'skeleton app-grid' : 'skeleton skeleton-rows'} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <span key={index} className={cards ? 'skeleton-card' : 'skeleton-row'} />
      ))}
    </div>
  );
}
