import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CopiedAction } from '../actions/CopyMenu.tsx';
import { useCopyOnContext } from '../actions/CopyOnContext.tsx';

interface DescribedSwitchProps {
  readonly name: string;
  /** Its effect, or why it cannot be switched. */
  readonly children: ReactNode;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  /** The action of switching it now, for its context menu. */
  readonly copies?: CopiedAction;
}

/** A switch with a sentence below its name, which screen readers read as its description. */
export function DescribedSwitch({ name, children, isOn, disabled = false, onSwitch, copies }: DescribedSwitchProps) {
  const { onContextMenu, menu } = useCopyOnContext(copies);
  return (
    <>
      <Switch
        label={name}
        // Without it, the accessible name would include the description.
        aria-label={name}
        description={children}
        checked={isOn}
        disabled={disabled}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
        wrapperProps={{ onContextMenu }}
      />
      {menu}
    </>
  );
}
