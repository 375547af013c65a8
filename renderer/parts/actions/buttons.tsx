import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { type CommandKey, isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CopyIcon } from '../icons.tsx';
import { type CopiedAction, commandAction, type OneCall } from './CopyMenu.tsx';
import { useCopyOnContext } from './CopyOnContext.tsx';
import { useCopy } from './use-copy.ts';

/** The button within a text, a row or a note. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'compact-sm' });

type Of<Tag extends 'a' | 'button'> = ButtonProps & Omit<ComponentPropsWithoutRef<Tag>, keyof ButtonProps>;

/** A link that looks like the one button to press. */
export const PrimaryLink = (props: Of<'a'>) => <Button component="a" {...props} />;

/** A link that looks like a small button. */
export const LinkButton = (props: Of<'a'>) => <Button component="a" variant="default" size="compact-sm" {...props} />;

type ActionButtonProps = Of<'button'> & {
  /** The action that its context menu copies. */
  readonly copies: CopiedAction | undefined;
};

/** A button that does something, which its context menu copies. */
export function ActionButton({ copies, ...props }: ActionButtonProps) {
  const { onContextMenu, menu } = useCopyOnContext(copies);
  return (
    <>
      <Button {...props} onContextMenu={onContextMenu} />
      {menu}
    </>
  );
}

type SendButtonProps = Of<'button'> & {
  /** The command that it waits for; with `command`, that one of the key. */
  readonly commandKey?: CommandKey;
  readonly command?: string;
  /** Large, in the accent's colour: the one thing to do of a form or page. */
  readonly primary?: boolean;
  /** The text while it waits for the reply; by default a turning ring. */
  readonly busy?: string;
  /** The one call that a press makes as the command of its key, in the place of `onClick`; its context menu copies it. */
  readonly sends?: OneCall;
  /** The action that the context menu copies of a button whose `onClick` does more than a call. */
  readonly copies?: CopiedAction | undefined;
};

/** A small button that sends a command: disabled while the daemon does not answer, or has not answered this command yet. */
export function SendButton({
  commandKey,
  command,
  primary = false,
  disabled = false,
  loading = false,
  busy,
  sends,
  copies,
  onClick,
  children,
  ...props
}: SendButtonProps) {
  const send = useDashboard((s) => s.send);
  const connected = useDashboard(isConnected);
  const pending = useDashboard((s) => commandKey !== undefined && isPending(commandKey, command)(s)) || loading;
  const look = primary
    ? ({ size: 'sm', variant: 'filled' } as const)
    : ({ size: 'compact-sm', variant: 'default' } as const);
  const waits = pending && busy !== undefined;
  const press = sends && commandKey !== undefined ? () => void send(commandKey, sends, command) : onClick;
  return (
    <ActionButton
      {...look}
      {...props}
      onClick={press}
      copies={copies ?? (sends && commandAction(textOf(children), sends))}
      disabled={!connected || pending || disabled}
      loading={pending && !waits}
    >
      {waits ? busy : children}
    </ActionButton>
  );
}

/** The words of a button, of those that are no elements. */
const textOf = (children: ReactNode): string =>
  [children]
    .flat()
    .filter((part) => typeof part === 'string')
    .join('');

interface CopyButtonProps {
  readonly text: () => string;
  /** For screen readers: the button itself says only "Copy". */
  readonly name: string;
  /** The status shown after copying. */
  readonly copied: string;
  readonly disabled?: boolean;
}

export function CopyButton({ text, name, copied, disabled = false }: CopyButtonProps) {
  const { status, copy } = useCopy();
  return (
    <div className="row">
      <span className="muted small" role="status">
        {status?.says}
      </span>
      <SmallButton
        leftSection={<CopyIcon size={14} />}
        disabled={disabled}
        onClick={() => void copy(text(), copied)}
        aria-label={name}
      >
        Copy
      </SmallButton>
    </div>
  );
}
