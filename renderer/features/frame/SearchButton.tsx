import { SearchIcon } from '../../parts/icons.tsx';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';

/** Opens the palette. */
export function SearchButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button
      type="button"
      className="status-search"
      onClick={onPress}
      aria-label="Search or run"
      aria-keyshortcuts={ariaWithCtrl('K')}
      title={`Search or run: pages, apps, models, actions (${withCtrl('K')}). All shortcuts: ?`}
    >
      <SearchIcon size={14} />
      <span className="status-search-label">Search or run</span>
      <kbd>{withCtrl('K')}</kbd>
    </button>
  );
}
