import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The program of the guardian, for a Node that is not Electron. */
export interface GuardProgram {
  readonly node: string;
  readonly args: readonly string[];
}

/** V8 without its compilers, which a few seconds of work do not need, and without threads for them: 3 MB less. */
const SMALL = ['--lite-mode', '--v8-pool-size=0'];

/** @param folder has `dist`  @returns null when the guardian is not built there */
export function guardProgramIn(folder: string, node: string): GuardProgram | null {
  const program = join(folder, 'dist', 'node', 'guard.cjs');
  return existsSync(program) ? { node, args: [...SMALL, program] } : null;
}
