import { NativeSelect } from '@mantine/core';
import { type ChatTemplate, chatTemplates, isChatTemplate } from '../../../daemon/contract/endpoints/chat-template.ts';

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
      description="It makes one text of the messages of a chat. The page of the model on the hub names its format."
      data={data}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(isChatTemplate(value) ? value : null)}
    />
  );
}
