import { stat } from 'node:fs/promises';

/** Whether work comes to a good end, where the reason of a bad one does not matter. Never rejects. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Whether there is a file or a folder of that name that can be reached. */
export function pathExists(path: string): Promise<boolean> {
  return succeeds(stat(path));
}
