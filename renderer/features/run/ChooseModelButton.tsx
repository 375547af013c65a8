import { Button } from '@mantine/core';
import { hrefOf } from '../../navigation/route.ts';

interface ChooseModelButtonProps {
  readonly appName: string;
  readonly need: string;
  readonly label?: string;
}

/** Leads to the place where a person chooses the endpoint for a need of an app. */
export function ChooseModelButton({ appName, need, label = 'Choose a model' }: ChooseModelButtonProps) {
  const query = new URLSearchParams({ need }).toString();
  return (
    <Button component="a" variant="default" size="compact-sm" href={hrefOf('apps', { appName, tab: 'about', query })}>
      {label}
    </Button>
  );
}
