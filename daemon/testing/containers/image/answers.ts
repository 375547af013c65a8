import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './behaviour.ts';

type Body = Readonly<Record<string, unknown>>;

/** The parts of an answer. */
interface Asked {
  readonly body: Body;
  /** The name of the model that is served. */
  readonly model: string;
  readonly behaviour: Behaviour;
}

type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

const words = ['Hello', ' from', ' a', ' container'];
const pieces = ({ behaviour }: Asked) =>
  Array.from({ length: behaviour.pieces ?? words.length }, (_, index) => words[index % words.length] as string);
const texts = (input: unknown): unknown[] => (Array.isArray(input) ? input : [input]);

const chat: Answer = (asked, response) => {
  const all = pieces(asked);
  const usage = { prompt_tokens: 3, completion_tokens: all.length, total_tokens: all.length + 3 };
  const reply = { id: 'chat-1', created: 1, model: asked.model };
  if (asked.body['stream'] === true) {
    const chunk = (more: object) => ({ ...reply, object: 'chat.completion.chunk', ...more });
    const events = all.map((content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    const last = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
    return stream(response, asked, [...events, last], 'data: [DONE]\n\n');
  }
  const message = { role: 'assistant', content: all.join('') };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return json(response, 200, { ...reply, object: 'chat.completion', choices, usage });
};

const completion: Answer = (asked, response) => {
  const choices = [{ index: 0, text: pieces(asked).join(''), finish_reason: 'stop' }];
  return json(response, 200, { id: 'text-1', object: 'text_completion', created: 1, model: asked.model, choices });
};

const embeddings: Answer = ({ body, model }, response) => {
  const data = texts(body['input']).map((_, index) => ({ object: 'embedding', index, embedding: [index, 1, 0] }));
  json(response, 200, { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } });
};

const generate: Answer = (asked, response) => json(response, 200, { generated_text: pieces(asked).join('') });

const generateStream: Answer = (asked, response) => {
  const all = pieces(asked);
  const events = all.map((text, index) => ({
    token: { id: index, text, logprob: 0, special: false },
    generated_text: index === all.length - 1 ? all.join('') : null,
  }));
  return stream(response, asked, events, '');
};

const tgi: Readonly<Record<string, Answer>> = {
  '/generate': generate,
  '/generate_stream': generateStream,
  '/v1/chat/completions': chat,
};
const openai: Readonly<Record<string, Answer>> = {
  '/v1/chat/completions': chat,
  '/v1/completions': completion,
  '/v1/embeddings': embeddings,
};

/** The routes of each engine that infer, in its own shapes. */
const routes: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  tgi,
  tgiNeuron: tgi,
  tei: {
    '/embed': ({ body }, response) =>
      json(
        response,
        200,
        texts(body['inputs']).map((_, index) => [index, 1, 0]),
      ),
    '/rerank': ({ body }, response) =>
      json(
        response,
        200,
        texts(body['texts']).map((_, index) => ({ index, score: 1 - index / 10 })),
      ),
    '/v1/embeddings': embeddings,
  },
  llamacpp: openai,
  vLLM: openai,
  vLLMOmni: openai,
  vLLMNeuron: openai,
  sGLang: { ...openai, '/generate': (asked, response) => json(response, 200, { text: pieces(asked).join('') }) },
  hubServe: { '/': generate, '/v1/chat/completions': chat },
  custom: { '/': generate, '/v1/chat/completions': chat },
};

/** undefined: this engine has no such route. */
export const answerOf = (engine: string, path: string): Answer | undefined => routes[engine]?.[path];

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function stream(response: ServerResponse, { behaviour }: Asked, events: object[], end: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (behaviour.pauseMs) await sleep(behaviour.pauseMs);
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}
