import { type FormEvent, type ReactNode, useState } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import type { NewToken as MadeToken } from '../../../daemon/contract/tokens.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { CopyButton, SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useAskAgain } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { SHOWN_ONCE, tokenNameHelp } from './session-text.ts';
import '../../parts/actions/command-line.css';
import './token-form.css';

interface NewTokenProps {
  /** The permissions of the token: `endpoint:lab/chat`. */
  readonly scopes: readonly string[];
  readonly suggestedName: string;
  /** A sentence about what the token may do, or controls that choose it. */
  readonly children: ReactNode;
}

/** Makes a token, and shows it once. */
export function NewToken({ scopes, suggestedName, children }: NewTokenProps) {
  const send = useDashboard((s) => s.send);
  const askAgain = useAskAgain();
  const [name, setName] = useState(suggestedName);
  const [made, setMade] = useState<MadeToken | null>(null);
  const command = `make ${scopes.join()}`;
  const refusal = useDashboard(refusalOf('tokens', [command]));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    const body = { name: name.trim() || undefined, scopes: [...scopes] };
    const token = await send('tokens', (call) => call('createToken', { body }), command);
    if (!token) return;
    setMade(token);
    setName('');
    void askAgain('tokens');
  }
  if (made) return <ShownToken made={made} onDone={() => setMade(null)} />;
  return (
    <form className="stack token-form" onSubmit={(event) => void make(event)} noValidate>
      {children}
      <CodeInput
        size="md"
        label="Name of the token"
        description={tokenNameHelp}
        value={name}
        onChange={({ currentTarget }) => {
          dismissRefusal('tokens');
          setName(currentTarget.value);
        }}
        error={problemAt(refusal, 'name') ?? refusal?.message}
      />
      <div>
        <SendButton
          commandKey="tokens"
          command={command}
          copies={{ title: 'Make a token', command: ownCommands.createToken(name.trim(), scopes), request: null }}
          size="sm"
          type="submit"
        >
          Make a token
        </SendButton>
      </div>
    </form>
  );
}

function ShownToken({ made: { text, token }, onDone }: { readonly made: MadeToken; readonly onDone: () => void }) {
  return (
    <div className="stack" role="status">
      <p>
        <bdi className="mono">{token.name}</bdi> is made. {SHOWN_ONCE}
      </p>
      <span className="command-line">
        <code className="command-line-text" dir="ltr">
          {text}
        </code>
        <CopyButton text={() => text} name="Copy the token" copied="Copied." />
      </span>
      <div>
        <SmallButton onClick={onDone}>Hide it</SmallButton>
      </div>
    </div>
  );
}
