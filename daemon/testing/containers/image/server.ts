#!/bin/node
/**
 * The program in the images of the tests: answers like the engine that TEST_ENGINE names, and tells at `/--reported` how it
 * was started. It runs in Node alone, without a package.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, json } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { listening, modelName } from './listening.ts';
import { report } from './report.ts';

const { env, argv } = process;
const engine = env['TEST_ENGINE'] ?? 'custom';
const model = modelName(argv, env);
const { host, port, healthRoute } = listening(engine, argv, env);
const filled: Buffer[] = [];
let behaviour: Behaviour = {};

process.on('SIGTERM', () => {
  if (!behaviour.isStubborn) process.exit(0);
});
console.log(`${engine} is about to serve ${model}`);
behave(JSON.parse(env['TEST_BEHAVIOUR'] ?? '{}') as Behaviour);
await sleep(behaviour.startMs ?? 0);
const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => json(response, 500, { error: error.message }));
});
// llama-server takes the path of a Unix socket for a host.
const address = host.startsWith('/') ? { path: host } : { port, host };
server.listen(address, () => console.error(`${engine} listens on ${host}:${port}`));

/** Takes on what is said of its behaviour, and keeps the rest. */
function behave(more: Behaviour): void {
  behaviour = { ...behaviour, ...more };
  if (more.memoryBytes !== undefined) fill(more.memoryBytes);
  if (more.exitCode !== undefined) {
    console.error(`${engine} ends with ${more.exitCode}`);
    process.exit(more.exitCode);
  }
}

/** Fills memory step by step, so that what listens is told of the last steps too. */
function fill(bytes: number): void {
  const stepBytes = 16 * 2 ** 20;
  for (let done = 0; done < bytes; done += stepBytes) filled.push(Buffer.alloc(stepBytes, 1));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0] as string;
  const read = await text(request);
  const body = read === '' ? {} : (JSON.parse(read) as Record<string, unknown>);
  if (path === '/--reported') return json(response, 200, report(engine));
  if (path === '/--behave') {
    json(response, 200, {});
    return behave(body);
  }
  if (path === healthRoute) {
    if (behaviour.health === 'hanging') return;
    return json(response, behaviour.health === 'failing' ? 503 : 200, {});
  }
  await sleep(behaviour.answerMs ?? 0);
  if (path === '/v1/models') return json(response, 200, { object: 'list', data: [{ id: model, object: 'model' }] });
  const infer = request.method === 'POST' ? answerOf(engine, path) : undefined;
  if (infer) return infer({ body, model, behaviour }, response);
  return json(response, 404, { error: `${engine} has no ${request.method} ${path}` });
}
