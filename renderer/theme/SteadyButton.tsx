import { type ComponentPropsWithRef, useState } from 'react';

/**
 * A button that keeps the focus when it is disabled: while it has the focus it is `aria-disabled` instead, and does
 * nothing. Browsers take the focus from a disabled button, and a command disables its button while it waits for the reply.
 */
export function SteadyButton({
  disabled = false,
  type = 'button',
  onClick,
  onFocus,
  onBlur,
  ...props
}: ComponentPropsWithRef<'button'>) {
  const [hasFocus, setHasFocus] = useState(false);
  const isWaiting = disabled && hasFocus;
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !hasFocus}
      aria-disabled={isWaiting || props['aria-disabled']}
      onClick={(event) => {
        if (isWaiting) event.preventDefault();
        else onClick?.(event);
      }}
      onFocus={(event) => {
        setHasFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        // When the whole window loses the focus, the button has it again afterwards.
        setHasFocus(document.activeElement === event.currentTarget);
        onBlur?.(event);
      }}
    />
  );
}
