import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { type CommandKey, isPending } from '../slices/base/commands.ts';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from '../store/use-dashboard.ts';

type Of<Tag extends 'a' | 'button'> = ButtonProps & Omit<ComponentPropsWithoutRef<Tag>, keyof ButtonProps>;

/** A quiet button, beside the thing that it is about. */
export const SmallButton = (props: Of<'button'>) => <Button variant="default" size="compact-sm" {...props} />;

/** A link that looks like the one button to press. */
export const PrimaryLink = (props: Of<'a'>) => <Button component="a" {...props} />;

/** A link that looks like a small button. */
export const LinkButton = (props: Of<'a'>) => <Button component="a" variant="default" size="compact-sm" {...props} />;

type SendButtonProps = Of<'button'> & {
  /** The command that it waits for; with `command`, that one of the key. */
  readonly commandKey?: CommandKey;
  readonly command?: string;
  /** Large, in the accent's colour: the one thing to do of a form or page. */
  readonly primary?: boolean;
};

/** A small button that sends a command: disabled while the daemon does not answer, or has not answered this command yet. */
export function SendButton({
  commandKey,
  command,
  primary = false,
  disabled = false,
  loading = false,
  ...props
}: SendButtonProps) {
  const connected = useDashboard(isConnected);
  const pending = useDashboard((s) => commandKey !== undefined && isPending(commandKey, command)(s)) || loading;
  const look = primary ? ({ size: 'sm', variant: 'filled' } as const) : {};
  return <SmallButton {...look} {...props} disabled={!connected || pending || disabled} loading={pending} />;
}
