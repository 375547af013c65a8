import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent, fetch } from 'undici';
import { type NodeChild, plainForkNode } from '../../shared/processes/fork-node.ts';
import { signalGroup } from '../../shared/processes/processes.ts';
import { type TinyModel, writeTinyGguf } from './tiny-gguf.ts';

export interface RunnerUnderTest extends AsyncDisposable {
  readonly child: NodeChild;
  readonly socketPath: string;
  /** Everything that it has written, once it has ended. */
  readonly output: Promise<{ readonly stdout: string; readonly stderr: string }>;
  readonly get: (path: string) => Promise<RunnerReply>;
  /** @param body an object, or the text of a body */
  readonly post: (path: string, body: object | string, signal?: AbortSignal) => Promise<RunnerReply>;
  /** @returns the data of each event */
  readonly stream: (path: string, body: object, signal?: AbortSignal) => AsyncGenerator<string>;
  /** Settles when it answers that it is healthy. @throws Error when it ends before */
  readonly healthy: () => Promise<void>;
}

interface RunnerReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its reply
  readonly body: any;
}

const sources = join(import.meta.dirname, '..', '..', 'llama-runner', 'main.ts');

/**
 * The runner as a process of its own, with a tiny model unless another file is given.
 * @param how `program`: default, the sources; `variables`: of its environment
 */
export async function startRunner(
  options: object = {},
  model: Partial<TinyModel> = {},
  {
    program = sources,
    variables = {},
  }: { readonly program?: string; readonly variables?: Record<string, string> } = {},
): Promise<RunnerUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const given = {
    socketPath: join(folder, 'socket'),
    modelPath: writeTinyGguf(join(folder, 'model.gguf'), model),
    alias: 'owner/tiny',
    ctxSize: null,
    parallel: null,
    mode: 'generation',
    threads: 1,
    ...options,
  };
  const child = await plainForkNode(program, [JSON.stringify(given)], {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then(([stdout, stderr]) => ({ stdout, stderr }));
  const dispatcher = new Agent({ connect: { socketPath: given.socketPath }, headersTimeout: 0, bodyTimeout: 0 });
  const ask = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(`http://runner${path}`, { ...init, dispatcher });
  const posted = (body: object | string, signal?: AbortSignal) => ({
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const replyOf = async (response: Awaited<ReturnType<typeof ask>>) => ({
    status: response.status,
    body: await response.json(),
  });
  const runner: RunnerUnderTest = {
    child,
    socketPath: given.socketPath,
    output,
    get: async (path) => replyOf(await ask(path)),
    post: async (path, body, signal) => replyOf(await ask(path, posted(body, signal))),
    async *stream(path, body, signal) {
      const response = await ask(path, posted({ ...body, stream: true }, signal));
      let rest = '';
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const events = (rest + piece).split('\n\n');
        rest = events.pop() ?? '';
        yield* events.map((event) => event.replace(/^data: /, ''));
      }
    },
    async healthy() {
      const ended = child.exited.then(async () => {
        throw new Error(`The runner has ended: ${(await output).stderr}`);
      });
      const isUp = async () => (await ask('/health').catch(() => null))?.status === 200;
      const answers = (async () => {
        while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 20));
      })();
      await Promise.race([answers, ended]);
      ended.catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      signalGroup(child.pid, 'SIGKILL');
      await child.exited;
      await dispatcher.destroy();
      rmSync(folder, { recursive: true });
    },
  };
  return runner;
}
