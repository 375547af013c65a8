import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import type { IssuedToken } from '../../../daemon/contract/tokens.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isOwnUser } from '../../slices/daemon/session-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NewToken } from '../session/NewToken.tsx';
import { mayText, noTokensText, revokeText, tokenPurposes, tokensText } from './settings-text.ts';
import './session-list.css';

const TOKENS = ['tokens'];

type Purpose = (typeof tokenPurposes)[number]['value'];

/** The tokens of the daemon with their last use; makes one, and revokes one. For this machine's own user. */
export function TokensSection() {
  const mayLetIn = useDashboard(isOwnUser);
  return mayLetIn && <Tokens />;
}

function Tokens() {
  const asked = useAsked(TOKENS, (call, signal) => call('listTokens', { signal }));
  const [purpose, setPurpose] = useState<Purpose>('deploy');
  return (
    <Section title="Tokens">
      <p className="muted">{tokensText}</p>
      <LoadedPart of={asked} failure="The tokens could not be loaded" rows={1}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{noTokensText}</p>
          ) : (
            <ul className="session-rows" aria-label="Tokens">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <NewToken scopes={[purpose]} suggestedName="">
        <RadioList legend="A new token may" choices={tokenPurposes} chosen={purpose} onChoose={setPurpose} />
      </NewToken>
    </Section>
  );
}

function TokenRow({ token }: { readonly token: IssuedToken }) {
  const [revoking, setRevoking] = useState(false);
  const { name, createdAt, lastUsedAt } = token;
  const close = () => setRevoking(false);
  return (
    <li className="row session-row">
      <div className="session-text">
        <p>
          <bdi className="mono">{name}</bdi> {mayText(token)}
        </p>
        <p className="muted small">
          {lastUsedAt === null ? (
            'Not used yet'
          ) : (
            <>
              Last used <TimeAgo at={lastUsedAt} />
            </>
          )}
          , made <TimeAgo at={createdAt} />.
        </p>
      </div>
      <SendButton onClick={() => setRevoking(true)} aria-label={`Revoke ${name}`}>
        Revoke…
      </SendButton>
      <Modal opened={revoking} onClose={close} title={`Revoke ${name}`}>
        <RevokeToken token={token} onClose={close} />
      </Modal>
    </li>
  );
}

function RevokeToken({ token: { id, name }, onClose }: { readonly token: IssuedToken; readonly onClose: () => void }) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const command = `revoke ${id}`;
  async function revoke(): Promise<void> {
    const left = await send('tokens', (call) => call('revokeToken', { params: { tokenId: id } }), command);
    if (left === null) return;
    onClose();
    setAnswer(TOKENS, left);
  }
  return (
    <div className="stack">
      <p>{revokeText}</p>
      <RefusalNote commandKey="tokens" commands={[command]} fresh />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <SendButton
          commandKey="tokens"
          command={command}
          copies={{ title: 'Revoke', command: ownCommands.revokeToken(name), request: null }}
          primary
          onClick={() => void revoke()}
        >
          Revoke {name}
        </SendButton>
      </div>
    </div>
  );
}
