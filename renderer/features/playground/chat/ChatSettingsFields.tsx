import { Textarea, TextInput } from '@mantine/core';
import { numberOf } from './chat-session.ts';
import type { ChatSettings } from './conversation.ts';

interface ChatSettingsFieldsProps {
  readonly settings: ChatSettings;
  readonly onChange: (change: Partial<ChatSettings>) => void;
}

/** The system prompt and the settings of the answers. Empty fields leave them to the model server. */
export function ChatSettingsFields({ settings, onChange }: ChatSettingsFieldsProps) {
  const { system, temperature, maxTokens } = settings;
  return (
    <div className="chat-settings">
      <Textarea
        className="chat-system"
        label="System prompt"
        placeholder="None"
        autosize
        minRows={1}
        maxRows={6}
        value={system}
        onChange={({ currentTarget }) => onChange({ system: currentTarget.value })}
      />
      <TextInput
        label="Temperature"
        placeholder="Default"
        inputMode="decimal"
        value={temperature}
        error={isNumber(temperature, 0) ? null : 'A number from 0 on.'}
        onChange={({ currentTarget }) => onChange({ temperature: currentTarget.value })}
        autoComplete="off"
      />
      <TextInput
        label="Longest answer"
        placeholder="Tokens"
        inputMode="numeric"
        value={maxTokens}
        error={isNumber(maxTokens, 1) ? null : 'A number of tokens.'}
        onChange={({ currentTarget }) => onChange({ maxTokens: currentTarget.value })}
        autoComplete="off"
      />
    </div>
  );
}

const isNumber = (text: string, least: number): boolean => text.trim() === '' || (numberOf(text) ?? -1) >= least;
