import { BellIcon } from '../../parts/icons.tsx';
import { useUnread } from '../attention/use-attention.ts';
import { bellText } from './notice-text.ts';
import './notifications.css';

const MOST = 99;

/** Opens what needs attention, and the news; shows how much of it is unread. */
export function NotificationBell({ onPress }: { readonly onPress: () => void }) {
  const unread = useUnread();
  return (
    <button
      type="button"
      className="notification-bell"
      onClick={onPress}
      aria-label={bellText(unread)}
      title={bellText(unread)}
    >
      <BellIcon size={16} />
      {unread > 0 && (
        <span className="notification-count" aria-hidden="true">
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      )}
    </button>
  );
}
