import type { ReactNode } from 'react';
import type { Asked } from '../../store/use-asked.ts';
import { FailedNote } from './FailedNote.tsx';
import { Skeleton } from './Skeleton.tsx';

interface LoadedPartProps<T> {
  readonly of: Asked<T>;
  /** The failure, without a full stop: `The runs could not be loaded`. */
  readonly failure: string;
  /** The height of the part while it loads. */
  readonly rows: number;
  readonly children: (value: T) => ReactNode;
}

/** Shows a value once it is loaded, space for it before. A failure is shown above the last value, if there is one. */
export function LoadedPart<T>({ of: { value, error, again }, failure, rows, children }: LoadedPartProps<T>) {
  return (
    <>
      {error && <FailedNote error={error} title={failure} onRetry={again} />}
      {value === null ? !error && <Skeleton rows={rows} /> : children(value)}
    </>
  );
}
