import type { EndpointRequest } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { hrefOf } from '../../navigation/route.ts';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { mailHelp, noMailText, pushHelp } from './notice-text.ts';
import './notification-switches.css';

type Notifications = NonNullable<EndpointRequest['notifications']>;

interface NotificationSwitchesProps {
  readonly chosen: Notifications;
  readonly onChange: (chosen: Notifications) => void;
  readonly disabled?: boolean;
  /** Called when the link to the settings is followed. */
  readonly onLeave?: () => void;
}

/** Chooses how its owner hears of an endpoint: by notifications, by mail. */
export function NotificationSwitches({ chosen, onChange, disabled = false, onLeave }: NotificationSwitchesProps) {
  const canMail = useDashboard((s) => s.notifications?.canMail ?? true);
  return (
    <fieldset className="notification-switches">
      <legend>Tell me when it runs, fails or cannot be updated</legend>
      <DescribedSwitch
        name="Notifications"
        isOn={chosen.push}
        disabled={disabled}
        onSwitch={(push) => onChange({ ...chosen, push })}
      >
        {pushHelp}
      </DescribedSwitch>
      <DescribedSwitch
        name="Mail"
        isOn={chosen.email}
        // One that is on can be switched off without a mail server.
        disabled={disabled || (!canMail && !chosen.email)}
        onSwitch={(email) => onChange({ ...chosen, email })}
      >
        {canMail ? (
          mailHelp
        ) : (
          <>
            {noMailText}{' '}
            <a href={hrefOf('settings', { query: 'section=mail' })} onClick={onLeave}>
              Set one up in Settings
            </a>
          </>
        )}
      </DescribedSwitch>
    </fieldset>
  );
}
