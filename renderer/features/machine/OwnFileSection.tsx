import { Modal } from '@mantine/core';
import { useState } from 'react';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { type ChatTemplate, NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { parameters } from '../../parts/format.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Section } from '../../parts/Section.tsx';
import type { CheckedFile, OwnFileEndpoint } from '../../slices/models/model-files-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useHasCard } from '../../store/use-graphics-cards.ts';
import { CardSwitch } from '../deploy/CardSwitch.tsx';
import { DeployForm } from '../deploy/DeployForm.tsx';
import { SignInFirst } from '../deploy/SignInFirst.tsx';
import { ChatTemplateSelect } from '../endpoints/ChatTemplateSelect.tsx';
import { CheckForm } from './CheckForm.tsx';
import {
  endpointNameFor,
  fileName,
  notDeployable,
  type OwnFileUse,
  ownFileUses,
  repositoryFor,
  suggestedUse,
} from './machine-text.ts';

interface OwnFileSectionProps {
  readonly mayChange: boolean;
  /** Of the address: `file` is the path of a file that was chosen in the window. */
  readonly query: string;
}

/** Checks a model file of the user's own and deploys it, without a copy. */
export function OwnFileSection({ mayChange, query }: OwnFileSectionProps) {
  const suggested = new URLSearchParams(query).get('file') ?? '';
  const checked = useDashboard((s) => s.checkedFile);
  return (
    <Section title="Your own model file">
      <p className="muted">
        A <span className="mono">.gguf</span> file on this machine, used where it is, without a copy.
      </p>
      <CheckForm key={suggested} mayChange={mayChange} suggested={suggested} />
      {checked && <CheckedFacts key={checked.path} checked={checked} mayChange={mayChange} />}
    </Section>
  );
}

function CheckedFacts({ checked, mayChange }: { readonly checked: CheckedFile; readonly mayChange: boolean }) {
  const [deploying, setDeploying] = useState(false);
  const { path, facts } = checked;
  const reason = notDeployable(facts);
  const size = [facts.parameterCount !== null && `${parameters(facts.parameterCount)} parameters`, facts.fileType];
  return (
    <div className="stack" role="status" aria-label="The file has been checked">
      <dl className="facts">
        <Fact name="File">
          <span className="mono">{path}</span>
        </Fact>
        <Fact name="Model">{facts.name ?? 'unnamed'}</Fact>
        <Fact name="Architecture">{facts.architecture}</Fact>
        <Fact name="Size">{[byteText(facts.sizeBytes), ...size].filter(Boolean).join(' · ')}</Fact>
        <Fact name="Context">
          {facts.contextLength === null ? 'unknown' : `${facts.contextLength.toLocaleString()} tokens`}
        </Fact>
      </dl>
      {reason === null ? (
        <div>
          <SendButton disabled={!mayChange} primary onClick={() => setDeploying(true)}>
            Deploy…
          </SendButton>
        </div>
      ) : (
        <Note tone="failed" title={reason} />
      )}
      <OwnFileDialog checked={checked} opened={deploying} onClose={() => setDeploying(false)} />
    </div>
  );
}

const tasks = { generation: 'text-generation', embeddings: 'feature-extraction', reranking: 'text-ranking' } as const;

interface OwnFileDialogProps {
  readonly checked: CheckedFile;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function OwnFileDialog({ checked, opened, onClose }: OwnFileDialogProps) {
  const [use, setUse] = useState<OwnFileUse>(() => suggestedUse(checked.facts));
  const [chatTemplate, setChatTemplate] = useState<ChatTemplate | null>(null);
  const mayChoose = use === 'generation' && !checked.facts.hasChatTemplate;
  const deployOwnFile = useDashboard((s) => s.deployOwnFile);
  const hasCard = useHasCard();
  const [usesCard, setUsesCard] = useState(true);
  const { path } = checked;
  return (
    <Modal opened={opened} onClose={onClose} title={`Deploy ${fileName(path)}`} size="lg">
      <div className="stack">
        <RadioList legend="Used for" choices={ownFileUses} chosen={use} onChoose={setUse} />
        {mayChoose && (
          <>
            <p>{NO_CHAT_TEMPLATE}</p>
            <ChatTemplateSelect chosen={chatTemplate} onChoose={setChatTemplate} />
          </>
        )}
        {hasCard && <CardSwitch isOn={usesCard} onSwitch={setUsesCard} />}
        <SignInFirst>
          <DeployForm
            suggestedName={endpointNameFor(path)}
            modelId={null}
            onDeploy={(config, notifications) =>
              deployOwnFile(
                {
                  ...ownFileEndpoint(path, use, config, mayChoose ? chatTemplate : null),
                  ...(notifications && { notifications }),
                },
                usesCard,
              )
            }
            onClose={onClose}
          />
        </SignInFirst>
      </div>
    </Modal>
  );
}

/** An endpoint that serves a file where it is. */
function ownFileEndpoint(
  path: string,
  use: OwnFileUse,
  config: DeployConfig,
  chatTemplate: ChatTemplate | null = null,
): OwnFileEndpoint {
  const { name = endpointNameFor(path), type = 'authenticated', scaling, privateService } = config;
  const { minReplica = 0, maxReplica = 1, scaleToZeroTimeout } = scaling ?? {};
  return {
    name,
    type,
    scaling: { minReplica, maxReplica, ...(scaleToZeroTimeout !== undefined && { scaleToZeroTimeout }) },
    ...(privateService && { privateService }),
    model: {
      repository: repositoryFor(path),
      framework: 'llamacpp',
      task: tasks[use],
      image: {
        llamacpp: {
          url: 'engines/llamacpp:cpu',
          modelPath: path,
          ...(use !== 'generation' && { mode: use }),
          ...(chatTemplate !== null && { chatTemplate }),
        },
      },
    },
    experimentalFeatures: { skipRepoDownload: true },
  };
}
