import { join } from 'node:path';

/**
 * A folder for what takes long to make and stays the same, such as tools for installing apps: shared by the tests of this
 * source tree, and kept for its next run. Runs of other trees have their own.
 */
export const sharedFolder = (name: string): string =>
  join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'robot-tests', name);
