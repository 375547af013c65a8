import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';

interface ChooseModelButtonProps {
  readonly appName: string;
  readonly need: string;
  readonly label?: string;
}

/** Leads to the place where a person chooses the endpoint for a need of an app. */
export function ChooseModelButton({ appName, need, label = 'Choose a model' }: ChooseModelButtonProps) {
  const query = new URLSearchParams({ need }).toString();
  return (
    <SmallButton component="a" href={hrefOf('apps', { appName, tab: 'about', query })}>
      {label}
    </SmallButton>
  );
}
