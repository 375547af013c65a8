import { Textarea, TextInput } from '@mantine/core';
import { settingsProblems } from './chat-session.ts';
import type { ChatSettings } from './conversation.ts';

interface ChatSettingsFieldsProps {
  readonly settings: ChatSettings;
  readonly onChange: (change: Partial<ChatSettings>) => void;
}

/** The system prompt and the settings of the answers. Empty fields leave them to the model server. */
export function ChatSettingsFields({ settings, onChange }: ChatSettingsFieldsProps) {
  const { system, temperature, maxTokens } = settings;
  const problems = settingsProblems(settings);
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
        error={problems.temperature}
        onChange={({ currentTarget }) => onChange({ temperature: currentTarget.value })}
        autoComplete="off"
      />
      <TextInput
        label="Longest answer"
        placeholder="Default"
        rightSection={<span className="muted small">tokens</span>}
        rightSectionWidth={58}
        inputMode="numeric"
        value={maxTokens}
        error={problems.maxTokens}
        onChange={({ currentTarget }) => onChange({ maxTokens: currentTarget.value })}
        autoComplete="off"
      />
    </div>
  );
}
