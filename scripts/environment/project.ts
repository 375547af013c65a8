import { join } from 'node:path';

/** The root of the source tree. */
export const projectDir = join(import.meta.dirname, '..', '..');
