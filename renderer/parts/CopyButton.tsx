import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyIcon } from './icons.tsx';

interface CopyButtonProps {
  readonly text: () => string;
  /** For screen readers: the button itself says only "Copy". */
  readonly name: string;
  /** The status shown after copying. */
  readonly copied: string;
  readonly disabled?: boolean;
}

const STATUS_MS = 4_000;

export function CopyButton({ text, name, copied, disabled = false }: CopyButtonProps) {
  const [status, setStatus] = useState<string | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text());
      setStatus(copied);
    } catch {
      setStatus('The browser blocked copying. Select the text and copy it.');
    }
    setTimeout(() => setStatus(null), STATUS_MS);
  }
  return (
    <div className="row">
      <span className="muted small" role="status">
        {status}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<CopyIcon size={14} />}
        disabled={disabled}
        onClick={() => void copy()}
        aria-label={name}
      >
        Copy
      </Button>
    </div>
  );
}
