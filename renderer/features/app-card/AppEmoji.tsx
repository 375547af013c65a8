import './app-card.css';

/** The app's emoji, or a box without one. */
export function AppEmoji({ emoji }: { readonly emoji: string }) {
  return (
    <span className="app-emoji" aria-hidden="true">
      {emoji.trim() || '📦'}
    </span>
  );
}
