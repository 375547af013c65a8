import { InstalledPythons } from './installed-pythons.ts';
import type { ProbeOptions } from './probe-python.ts';
import { pythonDownloadsDir } from './python-download.ts';
import { findPython, type Python } from './python-finder.ts';

export interface HostPythonOptions extends ProbeOptions {
  /** The configured one; null: none. */
  readonly wanted: string | null;
  /** Holds the Pythons that the daemon downloaded. */
  readonly toolsDir: string;
}

/** Finds the preferred Python of this machine, for a program without a daemon. @throws PythonMissing */
export function findHostPython({ toolsDir, ...options }: HostPythonOptions): Promise<Python> {
  const downloadsDir = pythonDownloadsDir(toolsDir);
  const installed = new InstalledPythons(() => ({ env: options.env, platform: process.platform, downloadsDir }));
  return findPython({ ...options, installed });
}
