import { Button } from '@mantine/core';
import { useState } from 'react';
import { InstallIcon } from '../../parts/icons.tsx';
import { saveText } from '../../parts/save-text.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface SaveFileProps {
  /** The name of the saved text, for screen readers. */
  readonly name: string;
  /** Rejects with a sentence for a person. */
  readonly fetchFile: () => Promise<{ readonly name: string; readonly text: string }>;
}

/** Saves a text of the daemon to a file. */
export function SaveFile({ name: what, fetchFile }: SaveFileProps) {
  const connected = useDashboard(isConnected);
  const [status, setStatus] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  async function save(): Promise<void> {
    setSaving(true);
    try {
      const { name, text } = await fetchFile();
      saveText(name, text);
      setStatus(`Saved as ${name}`);
    } catch (error) {
      setStatus(`Not saved. ${(error as Error).message}`);
    } finally {
      setSaving(false);
    }
  }
  return (
    <div className="row">
      <span className="muted small output-saved" role="status">
        {status}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<InstallIcon size={14} />}
        disabled={!connected || saving}
        onClick={() => void save()}
        aria-label={`Save ${what} to a file`}
      >
        {saving ? 'Saving…' : 'Save'}
      </Button>
    </div>
  );
}
