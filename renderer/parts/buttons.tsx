import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CopyIcon } from './icons.tsx';

/** The button within a text, a row or a note. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'compact-sm' });

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
  const [status, setStatus] = useState<{ readonly text: string } | null>(null); // a new one for each copy
  useEffect(() => {
    if (!status) return;
    const timer = setTimeout(() => setStatus(null), STATUS_MS);
    return () => clearTimeout(timer);
  }, [status]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text());
      setStatus({ text: copied });
    } catch {
      setStatus({ text: 'The browser blocked copying. Select the text and copy it.' });
    }
  }
  return (
    <div className="row">
      <span className="muted small" role="status">
        {status?.text}
      </span>
      <SmallButton
        leftSection={<CopyIcon size={14} />}
        disabled={disabled}
        onClick={() => void copy()}
        aria-label={name}
      >
        Copy
      </SmallButton>
    </div>
  );
}
