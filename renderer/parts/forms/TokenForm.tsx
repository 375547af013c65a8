import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { CodeInput } from './CodeInput.tsx';
import './token-form.css';

interface TokenFormProps {
  /** What the token is for, and where one comes from. */
  readonly children: ReactNode;
  readonly label: string;
  readonly description?: string;
  /** On the button. */
  readonly action: string;
  readonly disabled: boolean;
  /** Why the token was refused, in a sentence. */
  readonly refusal: string | undefined;
  /** What was refused is being mended. */
  readonly onChange: () => void;
  readonly onToken: (token: string) => void;
}

/** Asks for a token, which nobody looking on can read. */
export function TokenForm({ children, label, description, action, disabled, refusal, ...on }: TokenFormProps) {
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
        description={description}
        value={token}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={refusal}
      />
      <div>
        <Button type="submit" disabled={disabled || token.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}
