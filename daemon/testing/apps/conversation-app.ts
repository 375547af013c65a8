import { expect, vi } from 'vitest';
import type { TestDaemon } from '../daemon/test-daemon.ts';

/** The state that the page of an app of the template `conversation` shows. */
interface ConversationEntry {
  readonly number: number;
  readonly who: 'you' | 'model' | 'script' | 'tool' | 'notice';
  readonly text: string;
  readonly is_cut_off: boolean;
}

interface News {
  readonly status: Readonly<Record<string, unknown>>;
  readonly entries: readonly ConversationEntry[];
}

/** A running app of the template `conversation`, used through its page. */
export interface ConversationApp {
  /** Everything that the page shows at this moment. */
  look(): Promise<News>;
  /** The conversation so far. */
  said(): Promise<string[]>;
  say(text: string): Promise<void>;
  post(path: string, body: object): Promise<unknown>;
  untilState(state: string): Promise<void>;
  /** Waits until something was said or done. */
  until(who: ConversationEntry['who'], text: string): Promise<ConversationEntry>;
}

/** Starts an installed app, and waits for its page. */
export async function startConversation(daemon: TestDaemon, name: string): Promise<ConversationApp> {
  const app = (await daemon.installed()).find((each) => each.name === name);
  const port = app?.settingsPage?.port ?? expect.fail('no page');
  expect(await daemon.post(`/api/apps/start-app/${name}`)).toMatchObject({ status: 200 });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`http://localhost:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    return reply.json();
  };
  const look = async () => (await post('/news', {})) as News;
  await vi.waitFor(look, { timeout: 20_000 });
  return {
    look,
    post,
    said: async () => (await look()).entries.map(({ who, text }) => `${who}: ${text}`),
    say: async (text) => expect(await post('/say', { text })).toEqual({}),
    untilState: (state) =>
      vi.waitFor(async () => expect((await look()).status).toMatchObject({ state }), { timeout: 20_000, interval: 20 }),
    until: (who, text) =>
      vi.waitFor(
        async () => {
          const { entries } = await look();
          const found = entries.find((each) => each.who === who && each.text.includes(text));
          return found ?? expect.fail(`${who} has not said ${text}: ${JSON.stringify(entries)}`);
        },
        { timeout: 20_000, interval: 20 },
      ),
  };
}
