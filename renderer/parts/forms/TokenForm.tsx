import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { CodeInput } from './CodeInput.tsx';
import './token-form.css';

interface TokenFormProps {
  /** Explains the token's purpose and where to get one. */
  readonly children: ReactNode;
  readonly label: string;
  /** Where the token comes from, or how it begins. Tells it from other tokens, with the icon. */
  readonly placeholder: string;
  readonly icon: ReactNode;
  readonly description?: string;
  /** The label of the button. */
  readonly action: string;
  readonly disabled: boolean;
  /** Why the token was refused. */
  readonly refusal: string | undefined;
  /** The user edits the token. */
  readonly onChange: () => void;
  readonly onToken: (token: string) => void;
}

/** Asks for a token in a password field. */
export function TokenForm({
  children,
  label,
  placeholder,
  icon,
  description,
  action,
  disabled,
  refusal,
  ...on
}: TokenFormProps) {
  const [token, setToken] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    on.onToken(token.trim());
  }
  function change(next: string): void {
    on.onChange();
    setToken(next);
  }
  return (
    <form className="stack token-form" onSubmit={submit}>
      <p className="muted">{children}</p>
      <CodeInput
        size="md"
        type="password"
        label={label}
        placeholder={placeholder}
        leftSection={icon}
        description={description}
        value={token}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={refusal}
        data-autofocus
      />
      <div>
        <Button type="submit" disabled={disabled || token.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}
