import { Button } from '@mantine/core';
import { useState } from 'react';
import { InstallIcon } from '../../parts/icons.tsx';
import { saveText } from '../../parts/save-text.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Saves everything that is kept of a run's output to a file. */
export function SaveOutput({ runId }: { readonly runId: string }) {
  const fetchRunOutputFile = useDashboard((s) => s.fetchRunOutputFile);
  const connected = useDashboard(isConnected);
  const [status, setStatus] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  async function save(): Promise<void> {
    setSaving(true);
    try {
      const { name, text } = await fetchRunOutputFile(runId);
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
        aria-label="Save the output to a file"
      >
        {saving ? 'Saving…' : 'Save'}
      </Button>
    </div>
  );
}
