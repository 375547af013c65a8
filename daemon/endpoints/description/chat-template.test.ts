import { expect, test } from 'vitest';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { checkChatTemplate, lacksChatTemplate } from './chat-template.ts';

type Image = NonNullable<EndpointModel['image']['llamacpp']>;

const modelWith = (image: Partial<Image> = {}, more: Partial<EndpointModel> = {}): EndpointModel => ({
  ...partsNamed('a').model,
  image: { llamacpp: { url: 'u', modelPath: '/x', ...image } },
  ...more,
});

test.each<[string, EndpointModel, boolean | null, boolean]>([
  ['its file has none', modelWith(), false, true],
  ['its file has one', modelWith(), true, false],
  ['its file is not known', modelWith(), null, false],
  ['its owner chose one', modelWith({ chatTemplate: 'gemma' }), false, false],
  ['its arguments have one', modelWith({}, { args: ['--chat_template={{ messages }}'] }), false, false],
  ['a variable has one', modelWith({}, { secrets: { llama_arg_chat_template: null } }), false, false],
  ['other arguments', modelWith({}, { args: ['--jinja', '--seed', '1'] }), false, true],
  ['embeddings', modelWith({ mode: 'embeddings' }), false, false],
  ['reranking', modelWith({ mode: 'reranking' }), false, false],
  ['a task without chats', modelWith({}, { task: 'feature-extraction' }), false, false],
  ['a command of its own', modelWith({}, { command: ['sh'] }), false, false],
  ['another engine', modelWith({}, { image: { vLLM: { url: 'u' } } }), false, false],
])('whether an endpoint has no chats: %s', (_, model, brings, lacks) => {
  expect(lacksChatTemplate(model, brings)).toBe(lacks);
});

const problemsOf = (model: EndpointModel) => {
  const problems: string[] = [];
  checkChatTemplate(model, (path, message) => void problems.push(`${path.join('.')}: ${message}`));
  return problems;
};

test.each<[string, EndpointModel]>([
  ['none', modelWith()],
  ['by the field', modelWith({ chatTemplate: 'llama3' }, { args: ['--no-jinja', '--seed', '1'] })],
  ['by its text', modelWith({}, { args: ['--chat-template', '{% for m in messages %}{% endfor %}'] })],
  ['by a name that the server knows always', modelWith({}, { args: ['--chat-template', 'chatml'] })],
  ['by a name, without Jinja', modelWith({}, { args: ['--no-jinja', '--chat-template', 'llama3'] })],
])('a template may be chosen: %s', (_, model) => {
  expect(problemsOf(model)).toEqual([]);
});

const at = 'image.llamacpp.chatTemplate: ';

test.each<[EndpointModel, string]>([
  [modelWith({ chatTemplate: 'llama3', mode: 'embeddings' }), `${at}In the mode embeddings there are no chats`],
  [modelWith({ chatTemplate: 'llama3' }, { args: ['--jinja'] }), `${at}--jinja decides about templates too`],
  [modelWith({ chatTemplate: 'llama3' }, { args: ['--chat-template=x'] }), `${at}--chat-template decides`],
  [modelWith({ chatTemplate: 'llama3' }, { env: { LLAMA_ARG_JINJA: '1' } }), `${at}LLAMA_ARG_JINJA decides`],
  [modelWith({}, { args: ['--chat-template', 'llama3'] }), 'args: llama.cpp\'s server takes "llama3"'],
  [modelWith({}, { env: { LLAMA_ARG_CHAT_TEMPLATE: 'llama3' } }), "env.LLAMA_ARG_CHAT_TEMPLATE: llama.cpp's server"],
  [modelWith({}, { secrets: { llama_arg_chat_template: 'gemma' } }), 'secrets.llama_arg_chat_template: llama.cpp'],
])('a template is chosen once, and by a name that is taken for one', (model, message) => {
  expect(problemsOf(model)).toEqual([expect.stringContaining(message)]);
});
