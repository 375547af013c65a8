import { Button } from '@mantine/core';
import { useState } from 'react';
import { isInWindow } from '../../navigation/in-window.ts';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import './own-apps.css';

interface FolderFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Opens the system's folder dialog, in the window only. */
  readonly onChoose: () => void;
  readonly error: string | null;
  /** Whether it has the focus when its dialog opens. */
  readonly first?: boolean;
}

/** Asks for a folder: typed, or chosen in the window's dialog. A browser does not tell a page where a folder is. */
export function FolderField({ label, description, value, onChange, onChoose, error, first = false }: FolderFieldProps) {
  return (
    <div className="folder-field">
      <CodeInput
        size="md"
        label={label}
        description={description}
        placeholder="/home/you/robot-apps"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
        {...(first && { 'data-autofocus': true })}
      />
      {isInWindow && (
        <Button size="md" variant="default" onClick={onChoose} aria-label={`Choose: ${label}`}>
          Choose…
        </Button>
      )}
    </div>
  );
}

/** The folder of a form: typed, until another one arrives with the address, where the window's dialog puts it. */
export function useFolder(fromAddress: string, otherwise = '') {
  const [folder, setFolder] = useState(fromAddress || otherwise);
  const [arrived, setArrived] = useState(fromAddress);
  if (fromAddress !== arrived) {
    setArrived(fromAddress);
    if (fromAddress !== '') setFolder(fromAddress);
  }
  return [folder, setFolder] as const;
}
