import { existsSync } from 'node:fs';
import { containerPrograms } from '../environment/container-engine.ts';
import { installOnBuildMachine, isBuildMachine } from '../environment/debian-packages.ts';
import { screenPrograms } from '../environment/virtual-screen.ts';
import type { Suite } from './suites.ts';

/** The Debian packages of the programs that `npm test` starts. */
const quick: Readonly<Record<string, readonly string[]>> = {
  '/usr/bin/chromium': ['chromium', 'fonts-liberation'],
  '/usr/bin/chromium-headless-shell': ['chromium-headless-shell'],
  ...screenPrograms,
  ...containerPrograms,
};

/** Those of `npm run torture`. */
const all: typeof quick = {
  ...quick,
  '/usr/bin/pulseaudio': ['pulseaudio'],
  '/usr/bin/zsh': ['zsh'],
  '/usr/bin/fish': ['fish'],
  '/usr/bin/desktop-file-validate': ['desktop-file-utils'],
  '/usr/sbin/apparmor_parser': ['apparmor'],
};

/** @returns the Debian packages of the programs that this machine lacks */
export function missingPackages(run: 'test' | 'torture', exists = existsSync): string[] {
  return Object.entries(run === 'test' ? quick : all).flatMap(([program, names]) => (exists(program) ? [] : names));
}

/**
 * Installs the missing programs at once on a build machine, beside other suites, since it mostly waits for the network. Where
 * it fails, the suite that needs a program tries again, does without it, or fails.
 */
export function installTestPrograms(forRun: 'test' | 'torture'): Suite[] {
  const missing = missingPackages(forRun);
  if (!isBuildMachine || missing.length === 0) return [];
  const run: Suite['run'] = async () => {
    await installOnBuildMachine(...missing).catch((error: unknown) => console.warn(String(error)));
    return { passed: 0, failed: 0, skipped: 0 };
  };
  return [{ name: 'programs for the tests', run }];
}
