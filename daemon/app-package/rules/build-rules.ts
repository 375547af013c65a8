import type { Rule } from './rule.ts';

/** The rules that only a build can check. */
export const buildRules = {
  'build-failed': {
    severity: 'problem',
    title: 'The package cannot be installed',
    help: 'Correct what the last lines of the build say.',
  },
  'dependency-conflict': {
    severity: 'problem',
    title: 'The requirements cannot be met',
    help: 'Correct "dependencies": they do not exist, or exclude each other.',
  },
  'entry-point-lost': {
    severity: 'problem',
    title: 'The installed package declares no app',
    help: 'Correct the settings of the build: it does not take over the entry point of pyproject.toml.',
  },
  'import-error': {
    severity: 'problem',
    title: 'The app cannot be imported',
    help: 'Correct the error, or add the missing package to "dependencies".',
  },
  'needs-variable': {
    severity: 'warning',
    title: 'The import needs a variable',
    help: 'Read variables in run, so that the app can be installed without them.',
  },
  'not-installed': {
    severity: 'warning',
    title: 'Static files are missing after the install',
    help: 'Let the build take them over: each backend has a setting for files that are not code.',
  },
  'also-installed': {
    severity: 'warning',
    title: 'Folders beside the package are installed with it',
    help: 'Let the build take the package of the app only.',
  },
  'uninstall-leaves': {
    severity: 'warning',
    title: 'An uninstall leaves files behind',
    help: 'Write into the working folder: the app writes into its own package.',
  },
  'code-not-checked': {
    severity: 'warning',
    title: 'The code was not checked',
    help: 'Install Python 3.10 or newer.',
  },
  'not-built': {
    severity: 'warning',
    title: 'The package could not be built here',
    help: 'Correct what the message says, then check again.',
  },
} as const satisfies Record<string, Rule>;
