import { useState } from 'react';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { InstallIcon } from '../../parts/icons.tsx';
import { saveText } from '../../parts/save-text.ts';
import { isFiltered, type LineFilter } from './OutputFilter.tsx';
import { notSavedText, savedText } from './output-text.ts';

interface SaveFileProps {
  /** The saved output, for screen readers: `the log`. */
  readonly name: string;
  /** With it, only the matches are saved, and the button says so. */
  readonly filter: LineFilter;
  /** Rejects with a sentence for a person. */
  readonly fetchFile: () => Promise<{ readonly name: string; readonly text: string }>;
}

/** Saves the lines of an output to a file: all that are kept, or all that match a filter. */
export function SaveFile({ name: what, filter, fetchFile }: SaveFileProps) {
  const [status, setStatus] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const filtered = isFiltered(filter);
  async function save(): Promise<void> {
    setSaving(true);
    try {
      const { name, text } = await fetchFile();
      saveText(name, text);
      setStatus(savedText(name));
    } catch (error) {
      setStatus(notSavedText((error as Error).message));
    } finally {
      setSaving(false);
    }
  }
  return (
    <div className="row">
      <span className="muted small output-saved" role="status">
        {status}
      </span>
      <SendButton
        leftSection={<InstallIcon size={14} />}
        disabled={saving}
        onClick={() => void save()}
        aria-label={filtered ? `Save matches in ${what} to a file` : `Save all of ${what} to a file`}
      >
        {saving ? 'Saving…' : filtered ? 'Save matches' : 'Save all'}
      </SendButton>
    </div>
  );
}
