import { Button } from '@mantine/core';
import { useState } from 'react';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { Fact } from '../../parts/Fact.tsx';
import { parameters } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import type { CheckedFile } from '../../slices/models/model-files-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CheckForm } from './CheckForm.tsx';
import { notDeployable } from './machine-text.ts';
import { OwnFileDialog } from './OwnFileDialog.tsx';

interface OwnFileSectionProps {
  readonly mayChange: boolean;
  /** Of the address: `file` is the path of a file that was chosen in the window. */
  readonly query: string;
}

/** Checks a model file of the user's own and deploys it, without a copy. */
export function OwnFileSection({ mayChange, query }: OwnFileSectionProps) {
  const suggested = new URLSearchParams(query).get('file') ?? '';
  const checked = useDashboard((s) => s.checkedFile);
  return (
    <section className="card stack" aria-labelledby="own-file">
      <h2 id="own-file">Your own model file</h2>
      <p className="muted">
        A <span className="mono">.gguf</span> file on this machine. It is used where it is, without a copy.
      </p>
      <CheckForm key={suggested} mayChange={mayChange} suggested={suggested} />
      {checked && <CheckedFacts key={checked.path} checked={checked} mayChange={mayChange} />}
    </section>
  );
}

function CheckedFacts({ checked, mayChange }: { readonly checked: CheckedFile; readonly mayChange: boolean }) {
  const [deploying, setDeploying] = useState(false);
  const connected = useDashboard(isConnected);
  const { path, facts } = checked;
  const reason = notDeployable(facts);
  const size = [facts.parameterCount !== null && `${parameters(facts.parameterCount)} parameters`, facts.fileType];
  return (
    <div className="stack" role="status" aria-label="The file has been checked">
      <dl className="facts">
        <Fact name="File">
          <span className="mono">{path}</span>
        </Fact>
        <Fact name="Model">{facts.name ?? 'unnamed'}</Fact>
        <Fact name="Architecture">{facts.architecture}</Fact>
        <Fact name="Size">{[byteText(facts.sizeBytes), ...size].filter(Boolean).join(' · ')}</Fact>
        <Fact name="Context">
          {facts.contextLength === null ? 'unknown' : `${facts.contextLength.toLocaleString()} tokens`}
        </Fact>
      </dl>
      {reason === null ? (
        <div>
          <Button disabled={!mayChange || !connected} onClick={() => setDeploying(true)}>
            Deploy…
          </Button>
        </div>
      ) : (
        <Note tone="failed" title={reason} />
      )}
      <OwnFileDialog checked={checked} opened={deploying} onClose={() => setDeploying(false)} />
    </div>
  );
}
