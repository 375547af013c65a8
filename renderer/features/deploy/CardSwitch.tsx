import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';

interface CardSwitchProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  /** Why it cannot be switched; null: it can. */
  readonly reason?: string | null;
}

/** Chooses whether an endpoint of this machine uses the graphics card. Shown only where there is one. */
export function CardSwitch({ isOn, onSwitch, reason = null }: CardSwitchProps) {
  const text = isOn
    ? 'What does not fit on it runs on the processor.'
    : 'It runs on the processor, which is usually slower, and leaves the card to other programs.';
  return (
    <DescribedSwitch name="Use the graphics card" isOn={isOn} disabled={reason !== null} onSwitch={onSwitch}>
      {reason ?? text}
    </DescribedSwitch>
  );
}
