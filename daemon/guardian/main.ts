/** The guardian as a program of its own: `robot-daemon guard`. The program of the daemon starts it, and speaks to it on its standard input. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import loadBinding from 'node-gyp-build';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { Guardian } from './guardian.ts';

interface RescueProgram {
  readonly rescueDaemon: (assignment: unknown) => Promise<void>;
}

/** The name by which the serial port's library asks for the loader of its native code. */
const NATIVE_LOADER = 'node-gyp-build';

/**
 * Reads the program of the rescue and loads the serial port's native code, since the program's files may be gone when the
 * rescue comes: an AppImage is unmounted, a package removed. The program is compiled only then: its libraries would take
 * more memory than all the rest of the guardian.
 * @param folder has `rescue.cjs`, one file with all its libraries, and `prebuilds`
 * @throws the system's error
 */
function programInMemory(folder: string): RescueProgram['rescueDaemon'] {
  const filename = join(folder, 'rescue.cjs');
  const source = readFileSync(filename); // without the threads of an asynchronous read, which would stay
  const native = nativeCodeIn(folder);
  return async (assignment) => {
    const program = { exports: {} as RescueProgram };
    const nodeRequire = createRequire(filename);
    const require = (name: string): unknown => (name === NATIVE_LOADER ? native : nodeRequire(name));
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    const run = compileFunction(source.toString('latin1'), parameters, { filename });
    run(program.exports, require, program, filename, folder);
    await program.exports.rescueDaemon(assignment);
  };
}

/** @returns a loader that gives the loaded code, or says why there is none once it is needed: a simulated robot needs none */
function nativeCodeIn(folder: string): () => unknown {
  try {
    const binding = loadBinding(folder);
    return () => binding;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

const BAD_ARGUMENTS = 2;

if (process.stdin.isTTY) {
  process.stderr.write(
    'robot-daemon guard: Nobody tells this guardian what to guard. Robot Desktop starts its own: there is nothing to do in a terminal.\n',
  );
  process.exitCode = BAD_ARGUMENTS;
} else {
  const log = createLogger('info');
  process.stderr.on('error', () => {}); // the terminal of the window was closed
  new Guardian({
    input: process.stdin,
    process,
    rescue: programInMemory(import.meta.dirname),
    exit: (code) => process.exit(code),
    clock: systemClock,
    log,
  }).start();
}
