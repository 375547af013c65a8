import { stat } from 'node:fs/promises';

/** Whether work succeeds. Never rejects. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Whether a file or folder exists and can be reached. */
export function pathExists(path: string): Promise<boolean> {
  return succeeds(stat(path));
}
