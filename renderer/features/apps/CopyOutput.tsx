import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps.ts';
import { counted } from '../../parts/format.ts';
import { CopyIcon } from '../../parts/icons.tsx';

/** Copies all that is shown, without numbers. */
export function CopyOutput({ lines }: { readonly lines: readonly OutputLine[] }) {
  const [told, setTold] = useState<string | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(lines.map(({ text }) => text).join('\n'));
      setTold(`${counted(lines.length, 'line')} copied`);
    } catch {
      setTold('The browser does not allow it. Select the lines and copy them.');
    }
    setTimeout(() => setTold(null), 4_000);
  }
  return (
    <div className="row">
      <span className="muted small" role="status">
        {told}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<CopyIcon size={14} />}
        disabled={lines.length === 0}
        onClick={() => void copy()}
        aria-label="Copy output"
      >
        Copy
      </Button>
    </div>
  );
}
