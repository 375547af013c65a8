import { NativeSelect } from '@mantine/core';
import { type ChatTemplate, chatTemplates, isChatTemplate } from '../../../daemon/contract/endpoints/chat-template.ts';
import { templateHelp } from './endpoint-text.ts';

const data = [
  { value: '', label: 'Automatic: the one in the model’s file' },
  ...chatTemplates.map((name) => ({ value: name, label: name })),
];

interface ChatTemplateSelectProps {
  /** null: the one in the model's file. */
  readonly chosen: ChatTemplate | null;
  readonly onChoose: (template: ChatTemplate | null) => void;
}

export function ChatTemplateSelect({ chosen, onChoose }: ChatTemplateSelectProps) {
  return (
    <NativeSelect
      label="Template"
      description={templateHelp}
      data={data}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(isChatTemplate(value) ? value : null)}
    />
  );
}
