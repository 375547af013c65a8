import { createInterface } from 'node:readline/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ChatEnd, type ChatMessage, chatStream } from '../../client/chat-stream.ts';
import { bearerFetch } from '../../client/node/daemon-at.ts';
import { BadArguments, Interrupted } from '../shared/errors.ts';
import type { OnDaemonWithToken } from '../shared/on-daemon.ts';
import { type JsonOption, print, printError, printJson } from '../shared/print.ts';
import { reportFailure } from '../shared/report-failure.ts';
import { endpointOf } from './endpoint-context.ts';

/** Asks the model, and prints its answer as it comes. @returns its text */
type Ask = (messages: readonly ChatMessage[]) => Promise<string>;

export interface ChatOptions extends JsonOption {
  readonly system?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
}

/** `robot-daemon endpoint chat`. Without a message it asks what it reads. */
export async function chat(
  context: OnDaemonWithToken,
  name: string,
  given: string | undefined,
  options: ChatOptions,
): Promise<void> {
  const ask = await asker(context, name, options);
  const { system } = options;
  const opening: readonly ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  const message = given ?? (process.stdin.isTTY ? null : await inputOf(context));
  if (message === null) return converse(context, opening, ask);
  if (message.trim() === '') throw new BadArguments('There is no message: standard input is empty.');
  await ask([...opening, { role: 'user', content: message }]);
}

/** All of standard input. @throws Interrupted */
async function inputOf({ signal }: OnDaemonWithToken): Promise<string> {
  return text(addAbortSignal(signal, process.stdin)).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

async function asker(context: OnDaemonWithToken, name: string, options: ChatOptions): Promise<Ask> {
  const { signal, token } = context;
  const { temperature, maxTokens, json } = options;
  const { endpoint } = await endpointOf(context, name);
  const question = { url: endpoint.status.url, model: endpoint.model.repository, temperature, maxTokens };
  return async (messages) => {
    const pieces = chatStream({ ...question, messages }, { signal, send: bearerFetch(token) });
    const reply = { answer: '', reasoning: '' };
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) {
        if (json) printJson({ ...reply, ...value });
        else print('\n');
        if (value.finishReason === 'length' && !json) printError(cutText(value, maxTokens));
        return reply.answer;
      }
      reply[value.kind] += value.text;
      if (!json && value.kind === 'answer') print(value.text);
    }
  };
}

/** A conversation, a line of the terminal for each message, until the end of the input. */
async function converse({ signal }: OnDaemonWithToken, opening: readonly ChatMessage[], ask: Ask): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' });
  // In a terminal, readline gets the key itself.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  signal.addEventListener('abort', () => terminal.close(), { once: true });
  try {
    let messages = opening;
    terminal.prompt();
    for await (const line of terminal) {
      if (line.trim() !== '') messages = await answered([...messages, { role: 'user', content: line }], ask);
      signal.throwIfAborted();
      terminal.prompt();
    }
    signal.throwIfAborted();
    process.stderr.write('\n'); // the shell's prompt begins a line of its own after Ctrl-D
  } finally {
    terminal.close();
  }
}

/** The conversation after an answer; without its last question if that got none. */
async function answered(messages: readonly ChatMessage[], ask: Ask): Promise<readonly ChatMessage[]> {
  try {
    return [...messages, { role: 'assistant', content: await ask(messages) }];
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    reportFailure(error);
    process.exitCode = 0; // the conversation goes on
    return messages.slice(0, -1);
  }
}

function cutText({ tokens }: ChatEnd, maxTokens: number | undefined): string {
  const isBySetting = maxTokens !== undefined && (tokens?.answer ?? maxTokens) >= maxTokens;
  return isBySetting
    ? '(The answer was cut off at --max-tokens.)'
    : '(The model server cut the answer off: its context may be full.)';
}
