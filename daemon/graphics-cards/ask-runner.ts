import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import type { LIST_CARDS as Argument } from '../llama-runner/runner-options.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';
import type { ForkNode, NodeChild } from '../shared/processes/fork-node.ts';
import { recordLeader } from '../shared/processes/leader-register.ts';
import { signalGroup, signalProcess } from '../shared/processes/processes.ts';
import { cardProblem } from './card-problems.ts';

const LIST_CARDS: typeof Argument = '--list-cards';
/** Loading a driver takes seconds on a busy machine. */
const DEADLINE_MS = 20_000;
const MAX_OUTPUT = 64 * 1024;
/** The time that the pipes of an ended process may take to close. */
const PIPES_MS = 500;
/** A process that waits in the kernel for a driver does not even end by SIGKILL. */
const KILL_MS = 2_000;
/** The signals by which a program ends that has a fault, in its drivers as in itself. Others come from outside. */
const FAULTS: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGABRT', 'SIGTRAP']);

/** The runner's line about the graphics cards, see llama-runner/list-cards.ts. Memory in bytes, of all cards together. */
export const ListedCards = z.object({
  api: z.enum(['vulkan', 'metal']).or(z.literal(false)),
  cards: z.array(z.object({ name: z.string(), driver: z.string().nullable(), sharesMemory: z.boolean() })).max(64),
  totalBytes: z.int().min(0),
  freeBytes: z.int().min(0),
});
export type ListedCards = z.infer<typeof ListedCards>;

export interface RunnerDeps {
  /** The file of the bundled runner. */
  readonly program: string;
  readonly forkNode: ForkNode;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/**
 * Asks the runner for the graphics cards, in a process of its own that may crash or hang.
 * @param variables added to its environment
 * @returns a problem when it gives no answer. Never rejects
 */
export async function askRunner(
  { program, forkNode, childEnvironment, clock }: RunnerDeps,
  variables: Readonly<Record<string, string>>,
  deadlineMs = DEADLINE_MS,
): Promise<ListedCards | CardProblem> {
  const env = { ...childEnvironment(), ...variables };
  let child: NodeChild;
  try {
    child = await forkNode(program, [LIST_CARDS], { env });
  } catch (error) {
    return cardProblem('interrupted', `could not start (${(error as Error).message})`);
  }
  const forget = recordLeader(child.pid, env);
  const output = [child.stdout, child.stderr].map(boundedText);
  const isLate = !(await settlesWithin(clock, deadlineMs, child.exited));
  if (isLate) {
    signalGroup(child.pid, 'SIGKILL');
    signalProcess(child.pid, 'SIGKILL'); // in Electron it leads no group
  }
  void child.exited.then(forget);
  if (isLate) await settlesWithin(clock, KILL_MS, child.exited);
  else await settlesWithin(clock, PIPES_MS, Promise.all(output.map(({ closed }) => closed)));
  const [stdout = '', stderr = ''] = output.map(({ end }) => end());
  const listed = ListedCards.safeParse(jsonOf(stdout));
  if (listed.success) return listed.data; // also when the driver fails while the program ends
  if (isLate) return cardProblem('driver-silent', `${deadlineMs / 1_000} s`);
  const { code, signal } = await child.exited;
  if (signal !== null && FAULTS.has(signal)) return cardProblem('driver-crashed', signal);
  if (signal !== null) return cardProblem('interrupted', `was ended by ${signal}`);
  return code === 0 ? cardProblem('driver-failed', 'Its answer could not be read.') : failedToLoad(stderr);
}

/**
 * llama.cpp's native code is linked with the system's Vulkan loader, which asks the drivers. The library prints why it
 * cannot load that code, and then that it has none.
 */
function failedToLoad(stderr: string): CardProblem {
  if (/libvulkan\.so|vulkan-1\.dll|ERR_DLOPEN_FAILED/i.test(stderr)) return cardProblem('no-loader');
  if (/Vulkan device is not supported/i.test(stderr)) return cardProblem('no-driver');
  if (/NoBinaryFound/.test(stderr)) return cardProblem('not-included');
  return cardProblem('driver-failed', stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  } catch {
    return null;
  }
}

/** Collects the text of a stream, up to a limit. `end`: what came so far; nothing more is read. */
function boundedText(stream: Readable): { readonly closed: Promise<void>; readonly end: () => string } {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < MAX_OUTPUT) text += chunk;
  });
  const closed = new Promise<void>((resolve) => stream.once('close', resolve).once('error', () => resolve()));
  const end = () => {
    stream.destroy();
    return text;
  };
  return { closed, end };
}
