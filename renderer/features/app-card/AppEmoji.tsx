/** The picture of an app; a box where its author chose none. */
export function AppEmoji({ emoji }: { readonly emoji: string }) {
  return (
    <span className="app-emoji" aria-hidden="true">
      {emoji.trim() || '📦'}
    </span>
  );
}
