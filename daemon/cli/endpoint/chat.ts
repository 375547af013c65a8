import { createInterface } from 'node:readline/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ChatEnd, type ChatMessage, chatStream } from '../../client/chat-stream.ts';
import { BadArguments } from '../shared/bad-arguments.ts';
import { Interrupted } from '../shared/interrupted.ts';
import { print, printError, printJson } from '../shared/print.ts';
import { reportFailure } from '../shared/report-failure.ts';
import { type CommandContext, type EndpointCommand, endpointOf } from './endpoint-command.ts';

/** Asks the model, and prints its answer as it comes. @returns the answer's text and its end */
type Ask = (messages: readonly ChatMessage[]) => Promise<{ readonly answer: string; readonly end: ChatEnd }>;

/** `robot-daemon endpoint chat` */
export const chat: EndpointCommand = async (context) => {
  const { given, words } = context;
  const ask = await asker(context);
  const system = given.values['system'];
  const opening: readonly ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  const message = words[1] ?? (process.stdin.isTTY ? null : await inputOf(context));
  if (message === null) return converse(context, opening, ask);
  if (message.trim() === '') throw new BadArguments('There is no message: standard input is empty.');
  await ask([...opening, { role: 'user', content: message }]);
};

/** All of standard input. @throws Interrupted */
async function inputOf({ signal }: CommandContext): Promise<string> {
  return text(addAbortSignal(signal, process.stdin)).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

async function asker(context: CommandContext): Promise<Ask> {
  const { given, signal, token } = context;
  const settings = {
    temperature: numberOf(given.values['temperature'], 'temperature'),
    maxTokens: tokensOf(given.values['max-tokens']),
  };
  const { endpoint } = await endpointOf(context);
  const question = { url: endpoint.status.url, model: endpoint.model.repository, ...settings };
  const send: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
    });
  const asJson = given.switches.has('json');
  return async (messages) => {
    const pieces = chatStream({ ...question, messages }, { signal, send });
    const said = { answer: '', reasoning: '' };
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) {
        if (asJson) printJson({ ...said, ...value });
        else print('\n');
        if (value.finishReason === 'length' && !asJson) printError(cutText(value, settings.maxTokens));
        return { answer: said.answer, end: value };
      }
      said[value.kind] += value.text;
      if (!asJson && value.kind === 'answer') print(value.text);
    }
  };
}

/** A conversation, a line of the terminal for each message, until the end of the input. */
async function converse({ signal }: CommandContext, opening: readonly ChatMessage[], ask: Ask): Promise<void> {
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
    const { answer } = await ask(messages);
    return [...messages, { role: 'assistant', content: answer }];
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

function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new BadArguments(`--${name} needs a number, 0 or more.`);
  return value;
}

function tokensOf(text: string | undefined): number | undefined {
  const value = numberOf(text, 'max-tokens');
  if (value === undefined || (Number.isInteger(value) && value > 0)) return value;
  throw new BadArguments('--max-tokens needs a whole number, 1 or more.');
}
