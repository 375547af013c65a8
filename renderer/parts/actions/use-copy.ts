import { useEffect, useState } from 'react';

const STATUS_MS = 4_000;

/** The result of a copy. */
interface CopyStatus {
  readonly text: string;
  /** For the person, in a sentence. */
  readonly says: string;
}

/** Copies texts to the clipboard. `status` says for a while how the last copy went; null: nothing was copied. */
export function useCopy(): {
  readonly status: CopyStatus | null;
  readonly copy: (text: string, copied?: string) => Promise<void>;
} {
  const [status, setStatus] = useState<CopyStatus | null>(null); // a new one for each copy
  useEffect(() => {
    if (!status) return;
    const timer = setTimeout(() => setStatus(null), STATUS_MS);
    return () => clearTimeout(timer);
  }, [status]);
  async function copy(text: string, copied = 'Copied.'): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setStatus({ text, says: copied });
    } catch {
      setStatus({ text, says: 'The browser blocked copying.' });
    }
  }
  return { status, copy };
}
