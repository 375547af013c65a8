import { useState } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import type { SignInCode } from '../../../daemon/contract/session.ts';
import { isInWindow, openInBrowser } from '../../navigation/in-window.ts';
import { CopyButton, SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { useNow } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { codeHelp, EXPIRED } from './session-text.ts';

const COMMAND = 'make a code';

/** Shows a code that signs another browser in; in the window, opens one that is signed in. */
export function LetBrowserIn() {
  const send = useDashboard((s) => s.send);
  const [code, setCode] = useState<SignInCode | null>(null);
  async function make(): Promise<void> {
    const made = await send('session', (call) => call('createSignInCode'), COMMAND);
    if (made) setCode(made);
  }
  return (
    <Section title="Let another browser in">
      <p className="muted">{codeHelp}</p>
      <div role="status">{code && <ShownCode key={code.code} code={code} />}</div>
      <RefusalNote commandKey="session" commands={[COMMAND]} />
      <div className="row">
        <SendButton
          commandKey="session"
          command={COMMAND}
          copies={{ title: 'Sign in', command: ownCommands.signIn, request: null }}
          size="sm"
          onClick={() => void make()}
        >
          {code ? 'Show another code' : 'Show a code'}
        </SendButton>
        {isInWindow && (
          <SmallButton size="sm" onClick={openInBrowser}>
            Open in a browser
          </SmallButton>
        )}
      </div>
    </Section>
  );
}

function ShownCode({ code: { code, expiresAt } }: { readonly code: SignInCode }) {
  const isOver = useNow(5_000) >= Date.parse(expiresAt);
  if (isOver) return <p>{EXPIRED}</p>;
  const address = `${window.location.origin}/sign-in?code=${code}`;
  return (
    <dl className="facts">
      <Fact name="Code">
        <div className="row bar">
          <strong className="mono">{code}</strong>
          <CopyButton text={() => code} name="Copy the code" copied="Copied." />
        </div>
      </Fact>
      <Fact name="Address">
        <div className="row bar">
          <span className="mono anywhere">{address}</span>
          <CopyButton text={() => address} name="Copy the address" copied="Copied." />
        </div>
      </Fact>
      <Fact name="Valid until">{new Date(expiresAt).toLocaleTimeString()}</Fact>
    </dl>
  );
}
