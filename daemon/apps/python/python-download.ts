import { join } from 'node:path';
import { nearestPython } from './python-choice.ts';
import type { RunStep } from './python-env.ts';

const LIST_MS = 30_000;

/**
 * Asks uv for a version that it can download and that suits an app. uv knows the versions without the network.
 * @returns `3.12.4`, or null
 */
export async function downloadablePython(
  uv: string,
  { requiresPython, preferred }: { readonly requiresPython: string; readonly preferred: string },
  run: RunStep,
): Promise<string | null> {
  const ask = async (...more: string[]) => {
    const lines: string[] = [];
    const onLine = (line: string) => void lines.push(line);
    await run(uv, ['python', 'list', '--only-downloads', ...more], { deadlineMs: LIST_MS, onLine });
    return nearestPython(downloadsIn(lines), requiresPython, preferred);
  };
  // Without more, uv lists the newest patch of each release.
  return (await ask()) ?? (await ask('--all-versions'));
}

/** The folder for downloads of Python. */
export function pythonDownloadsDir(toolsDir: string): string {
  return join(toolsDir, 'pythons');
}

/** The final releases of CPython in uv's list, whose lines begin with `cpython-3.12.4-linux-x86_64-gnu`. */
export function downloadsIn(lines: readonly string[]): string[] {
  return lines
    .map((line) => /^cpython-(\d+\.\d+\.\d+)-\S+\s/.exec(line)?.[1])
    .filter((version) => version !== undefined);
}

/**
 * Downloads a Python with uv, for the daemon only: no link on PATH, no entry in Windows' registry.
 * @param version `3.12.4`
 * @throws CommandFailed, or the reason of a cancel
 */
export async function downloadPython(
  uv: string,
  version: string,
  {
    downloadsDir,
    run,
    deadlineMs,
  }: { readonly downloadsDir: string; readonly run: RunStep; readonly deadlineMs: number },
): Promise<void> {
  await run(uv, ['python', 'install', `cpython@${version}`], {
    deadlineMs,
    moreEnv: {
      UV_PYTHON_DOWNLOADS: 'manual',
      UV_PYTHON_INSTALL_DIR: downloadsDir,
      UV_PYTHON_INSTALL_BIN: '0',
      UV_PYTHON_INSTALL_REGISTRY: '0',
    },
  });
}
