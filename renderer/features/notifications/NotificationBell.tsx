import { BellIcon } from '../../parts/icons.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { bellText } from './notice-text.ts';
import './notifications.css';

const MOST = 99;

/** Opens the notifications; shows how many of them nobody has seen. */
export function NotificationBell({ onPress }: { readonly onPress: () => void }) {
  const unseen = useDashboard((s) => s.notifications?.unseen ?? 0);
  return (
    <button
      type="button"
      className="notification-bell"
      onClick={onPress}
      aria-label={bellText(unseen)}
      title={bellText(unseen)}
    >
      <BellIcon size={16} />
      {unseen > 0 && (
        <span className="notification-count" aria-hidden="true">
          {unseen > MOST ? `${MOST}+` : unseen}
        </span>
      )}
    </button>
  );
}
