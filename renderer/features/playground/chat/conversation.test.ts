import { expect, test } from 'vitest';
import {
  bounded,
  type Conversation,
  ConversationStorage,
  defaultSettings,
  emptyConversation,
  MAX_TURNS,
  type Turn,
} from './conversation.ts';

const end = { state: 'done', error: null, firstMs: 1, tokens: 1, tokensPerSecond: null, isCut: false } as const;
const turn = (id: number, text = 'x'): Turn =>
  id % 2 === 1
    ? { id, role: 'user', text, reasoning: '', end: null }
    : { id, role: 'assistant', text, reasoning: '', end };
const conversation = (count: number, text?: string): Conversation => ({
  ...emptyConversation,
  turns: Array.from({ length: count }, (_, index) => turn(index + 1, text)),
});

test('a conversation is bounded in messages and in characters; the newest stay and the others are counted', () => {
  expect(bounded(conversation(10))).toEqual(conversation(10));
  expect(bounded(conversation(1_000))).toMatchObject({ forgotten: 600, turns: { length: MAX_TURNS } });
  const long = bounded(conversation(10, 'y'.repeat(150_000)));
  expect(long.turns.map(({ id }) => id)).toEqual([9, 10]);
  expect(long.forgotten).toBe(8);
  expect(bounded(conversation(4, 'z'.repeat(900_000))).turns.map(({ id }) => id)).toEqual([3, 4]);
});

test('a conversation is kept for its endpoint; others go when there are too many', () => {
  window.localStorage.clear();
  const kept = { ...conversation(2), settings: { ...defaultSettings, system: 'Be short.' } };
  new ConversationStorage('lab/chat 1').save(kept);
  expect(new ConversationStorage('lab/chat 1').load()).toEqual(kept);
  expect(new ConversationStorage('lab/chat 2').load()).toEqual(emptyConversation);
  for (let other = 0; other < 30; other++) new ConversationStorage(`lab/other-${other}`).save(kept);
  expect(window.localStorage).toHaveLength(20);
  new ConversationStorage('lab/other-29').save(emptyConversation);
  expect(window.localStorage).toHaveLength(19);
});

test.each(['null', '{', '[]', '{"turns":7}', '{"turns":[null,{"role":"x"},{"role":"user","text":7}]}'])(
  'what is no conversation is none: %s',
  (text) => {
    window.localStorage.setItem('robot-desktop.chat lab/chat', text);
    expect(new ConversationStorage('lab/chat').load().turns).toEqual([]);
  },
);

test('a browser that keeps nothing breaks nothing', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const storage = { getItem: refuse, setItem: refuse, removeItem: refuse } as unknown as Storage;
  const broken = new ConversationStorage('lab/chat', storage);
  broken.save(conversation(2));
  expect(broken.load()).toEqual(emptyConversation);
});
