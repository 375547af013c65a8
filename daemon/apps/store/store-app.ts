import { emojiOf } from '../../contract/apps/emoji.ts';
import type { StoreApp } from '../../contract/apps/store.ts';
import type { HubApp } from '../../hub/hub-app.ts';
import { displayText } from '../../shared/display-text.ts';

/** The store entry of a Space, with texts that are safe to show and its install address. */
export function storeApp(hub: string, app: HubApp): StoreApp {
  const { id, commit, likes, createdAt, updatedAt } = app;
  return {
    id,
    commit,
    url: `${hub}/spaces/${id}`,
    author: displayText(app.author, 100),
    title: displayText(app.title, 80) || (id.split('/')[1] ?? id),
    description: displayText(app.description, 300),
    emoji: emojiOf(app.emoji),
    likes,
    private: app.private,
    createdAt,
    updatedAt,
  };
}
