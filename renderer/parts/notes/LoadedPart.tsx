import type { ReactNode } from 'react';
import type { Loaded } from '../../slices/base/loaded.ts';
import type { Asked } from '../../store/use-asked.ts';
import { FailedNote } from './FailedNote.tsx';
import { Skeleton } from './Skeleton.tsx';

interface LoadedPartProps<T> {
  /** Null or undefined before the first load. */
  readonly of: Loaded<T> | Pick<Asked<T>, 'value' | 'error'> | null | undefined;
  /** The failure, without a full stop: `The runs could not be loaded`. */
  readonly failure: string;
  readonly onRetry: () => void;
  /** The height of the part while it loads. */
  readonly rows: number;
  readonly children: (value: T) => ReactNode;
}

/** Shows a value once it is loaded, space for it before. A failure is shown above the last value, if there is one. */
export function LoadedPart<T>({ of, failure, onRetry, rows, children }: LoadedPartProps<T>) {
  const value = of?.value ?? null;
  const error = of && 'error' in of ? of.error : null;
  return (
    <>
      {error && <FailedNote error={error} title={failure} onRetry={onRetry} />}
      {value === null ? !error && <Skeleton rows={rows} /> : children(value)}
    </>
  );
}
