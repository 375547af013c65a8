import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { cardHelp } from './deploy-text.ts';

interface CardSwitchProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  /** Why it cannot be switched; null: it can. */
  readonly reason?: string | null;
}

/** Chooses whether an endpoint of this machine uses the graphics card. Shown only where there is one. */
export function CardSwitch({ isOn, onSwitch, reason = null }: CardSwitchProps) {
  return (
    <DescribedSwitch name="Use the graphics card" isOn={isOn} disabled={reason !== null} onSwitch={onSwitch}>
      {reason ?? cardHelp[isOn ? 'on' : 'off']}
    </DescribedSwitch>
  );
}
