import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from '../../harness/child.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { benchProgram } from '../../harness/programs.ts';

/** A model server, and a daemon whose endpoint it serves, each in a process of its own. */
export interface GatewayBench extends AsyncDisposable {
  /** The address of the endpoint at the daemon. */
  readonly gatewayUrl: string;
  /** The address of the model server itself. */
  readonly directUrl: string;
  /** The process id of the daemon. */
  readonly daemonPid: number;
}

/** @param cached `cached`: the endpoint keeps its answers */
export async function startGatewayBench(cached?: 'cached'): Promise<GatewayBench> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  const socketPath = join(folder, 'model.sock');
  const started: AsyncDisposable[] = [registerCleanup(() => rm(folder, { recursive: true, force: true }))];
  const end = registerCleanup(async () => {
    for (const one of started.toReversed()) await one[Symbol.asyncDispose]();
  });
  const start = (program: string, ...more: readonly string[]): Child => {
    const child = startChild(process.execPath, ['--max-semi-space-size=2', benchProgram(program), socketPath, ...more]);
    started.push(child);
    return child;
  };
  try {
    const directUrl = await start('token-server.ts').line();
    const daemon = start('gateway-daemon.ts', ...(cached ? [cached] : []));
    const gatewayUrl = await daemon.line();
    return { gatewayUrl, directUrl, daemonPid: daemon.process.pid as number, ...end };
  } catch (error) {
    await end[Symbol.asyncDispose]();
    throw error;
  }
}
