import { emojiOf } from '../../../daemon/contract/apps/emoji.ts';
import './app-card.css';

/** The app's emoji, or a box without one. Text in its place, stored by an earlier version, is none. */
export function AppEmoji({ emoji }: { readonly emoji: string }) {
  return (
    <span className="app-emoji" aria-hidden="true">
      {emojiOf(emoji) || '📦'}
    </span>
  );
}
