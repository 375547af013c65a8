import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

interface FakePython {
  readonly isFinal?: boolean;
  readonly isUsual?: boolean;
  readonly hasVenv?: boolean;
  readonly hasEnsurepip?: boolean;
  /** The interpreter for everything but the probe; null: none. */
  readonly real?: string | null;
}

/** The text of a program that answers the daemon's probe as a Python of that version: a fake, for want of real ones. */
export function fakePythonScript(executable: string, version: string, given: FakePython = {}): string {
  const { real = null, ...facts } = given;
  const probe = {
    ...{
      executable,
      version,
      isFinal: true,
      isUsual: true,
      hasVenv: true,
      hasEnsurepip: false,
      standardModules: ['json'],
    },
    ...facts,
  };
  const otherwise = real === null ? 'exit 1' : `exec '${real}' "$@"`;
  return `#!/bin/sh\ncase "$*" in *probe_python.py) echo '${JSON.stringify(probe)}';; *) ${otherwise};; esac\n`;
}

/** Writes such a program. */
export async function writeFakePython(path: string, version: string, given?: FakePython): Promise<void> {
  await writeProgram(path, fakePythonScript(path, version, given));
}

/** Writes a shell script that can be run. */
export async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script);
  await chmod(path, 0o755);
}
