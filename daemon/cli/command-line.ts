#!/usr/bin/env -S node --max-semi-space-size=1
// The flag has V8 collect the short-lived garbage of the 50 Hz loop in small portions: at rest that is 20 MB less.
import { enableCompileCache } from 'node:module';

// Keeps what Node makes of the sources, types stripped: later starts are faster and need 25 MB less.
enableCompileCache();

/** What can be asked about a daemon, or done to it, beside being one. Each is loaded only where it is asked for. */
const commands: Readonly<Record<string, () => Promise<(argv: readonly string[]) => Promise<void>>>> = {
  status: async () => (await import('./status.ts')).status,
  stop: async () => (await import('./stop.ts')).stop,
  restart: async () => (await import('./restart.ts')).restart,
  doctor: async () => (await import('./doctor.ts')).doctor,
  token: async () => (await import('./token.ts')).token,
  run: async () => (await import('./run-daemon.ts')).runDaemon,
};

const [name = '', ...rest] = process.argv.slice(2);
const isCommand = name !== 'run' && Object.hasOwn(commands, name);
const command = commands[isCommand ? name : 'run'] as (typeof commands)[string];
await (await command())(isCommand ? rest : process.argv.slice(2));
