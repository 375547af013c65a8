import { expect, test } from 'vitest';
import type { AppNeed } from '../../contract/apps/needs.ts';
import { needsEnvironment, type ServedNeed } from './needs-environment.ts';

const need = (name: string, task: AppNeed['task'] = 'text-generation', optional = false): AppNeed => ({
  ...{ name, task, optional },
});
const served = (of: AppNeed, id = 'lab/small'): ServedNeed => {
  const [namespace = '', name = ''] = id.split('/');
  const url = `http://127.0.0.1:8000/endpoints/${id}/v1`;
  return { need: of, endpoint: { namespace, name }, model: `ada/${name}`, url, key: `key-of-${of.name}` };
};
const chat = need('chat');
const embed = need('embed', 'feature-extraction', true);
const own = {
  ROBOT_ENDPOINT_CHAT_URL: 'http://127.0.0.1:8000/endpoints/lab/small/v1',
  ROBOT_ENDPOINT_CHAT_MODEL: 'ada/small',
  ROBOT_ENDPOINT_CHAT_KEY: 'key-of-chat',
  ROBOT_ENDPOINT_CHAT_NAME: 'lab/small',
};
const openAi = {
  OPENAI_BASE_URL: 'http://127.0.0.1:8000/endpoints/lab/small/v1',
  OPENAI_API_KEY: 'key-of-chat',
  OPENAI_MODEL: 'ada/small',
};

test('an app without needs, or with none that is served, gets no variable', () => {
  expect(needsEnvironment({ declared: [], served: [], others: {} })).toEqual({ environment: {}, secrets: [] });
  const others = { http_proxy: 'http://proxy:3128' };
  expect(needsEnvironment({ declared: [embed], served: [], others })).toEqual({ environment: {}, secrets: [] });
});

test('each served need has its variables and its own key; an optional one that is not served has none', () => {
  const both = needsEnvironment({ declared: [chat, embed], served: [served(chat), served(embed)], others: {} });
  expect(both.secrets).toEqual(['key-of-chat', 'key-of-embed']);
  expect(both.environment).toEqual({
    ...own,
    ...openAi,
    ROBOT_ENDPOINT_EMBED_URL: 'http://127.0.0.1:8000/endpoints/lab/small/v1',
    ROBOT_ENDPOINT_EMBED_MODEL: 'ada/small',
    ROBOT_ENDPOINT_EMBED_KEY: 'key-of-embed',
    ROBOT_ENDPOINT_EMBED_NAME: 'lab/small',
  });
  const one = needsEnvironment({ declared: [chat, embed], served: [served(chat)], others: {} });
  expect(one.environment).toEqual({ ...own, ...openAi });
});

test.each(['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'])("OpenAI's variables are not set beside %s", (name) => {
  const set = needsEnvironment({ declared: [chat], served: [served(chat)], others: { [name]: '' } });
  expect(set.environment).toEqual(own);
});

test("OpenAI's variables belong to the only need for text generation that is declared", () => {
  const big = need('big', 'text-generation', true);
  expect(needsEnvironment({ declared: [chat, big], served: [served(chat)], others: {} }).environment).toEqual(own);
  const see = need('see', 'image-text-to-text');
  const set = needsEnvironment({ declared: [see, chat], served: [served(see, 'lab/eye'), served(chat)], others: {} });
  expect(set.environment).toMatchObject(openAi);
  const only = needsEnvironment({ declared: [see], served: [served(see)], others: {} });
  expect(Object.keys(only.environment).filter((name) => name.startsWith('OPENAI'))).toEqual([]);
});

test('requests to endpoints do not go through a proxy, which would see the keys', () => {
  const others = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'intranet' };
  const { environment } = needsEnvironment({ declared: [embed], served: [served(embed)], others });
  expect(environment).toMatchObject({ no_proxy: 'intranet,127.0.0.1', NO_PROXY: 'intranet,127.0.0.1' });
});
