import { Modal } from '@mantine/core';
import { useState } from 'react';
import { type ChatTemplate, NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import type { CheckedFile, OwnFileEndpoint } from '../../slices/models/model-files-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeployForm } from '../deploy/DeployForm.tsx';
import { SignInFirst } from '../deploy/SignInFirst.tsx';
import { ChatTemplateSelect } from '../endpoints/ChatTemplateSelect.tsx';
import { endpointNameFor, fileName, type OwnFileUse, repositoryFor, suggestedUse } from './machine-text.ts';

const uses = [
  { value: 'generation', label: 'Chat and text', description: 'It writes text.' },
  { value: 'embeddings', label: 'Embeddings', description: 'It turns text into vectors.' },
  { value: 'reranking', label: 'Reranking', description: 'It sorts texts by how well they answer a question.' },
] as const;

const tasks = { generation: 'text-generation', embeddings: 'feature-extraction', reranking: 'text-ranking' } as const;

interface OwnFileDialogProps {
  readonly checked: CheckedFile;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Deploys a model file of this machine. */
export function OwnFileDialog({ checked, opened, onClose }: OwnFileDialogProps) {
  const [use, setUse] = useState<OwnFileUse>(() => suggestedUse(checked.facts));
  const [chatTemplate, setChatTemplate] = useState<ChatTemplate | null>(null);
  const mayChoose = use === 'generation' && !checked.facts.hasChatTemplate;
  const deployOwnFile = useDashboard((s) => s.deployOwnFile);
  const { path } = checked;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Deploy ${fileName(path)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      <div className="stack">
        <RadioList legend="Used for" choices={uses} chosen={use} onChoose={setUse} />
        {mayChoose && (
          <>
            <p>{NO_CHAT_TEMPLATE}</p>
            <ChatTemplateSelect chosen={chatTemplate} onChoose={setChatTemplate} />
          </>
        )}
        <SignInFirst>
          <DeployForm
            suggestedName={endpointNameFor(path)}
            modelId={null}
            onDeploy={(config, notifications) =>
              deployOwnFile({
                ...ownFileEndpoint(path, use, config, mayChoose ? chatTemplate : null),
                ...(notifications && { notifications }),
              })
            }
            onClose={onClose}
          />
        </SignInFirst>
      </div>
    </Modal>
  );
}

/** An endpoint that serves a file where it is. */
export function ownFileEndpoint(
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
