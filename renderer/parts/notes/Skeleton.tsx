import './skeleton.css';
import '../app-grid.css';

/** Reserves the space of rows or cards while they load; becomes visible after a short delay. */
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
