import { useState } from 'react';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Section } from '../../parts/Section.tsx';
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import { paletteText } from '../shortcuts/shortcut-text.ts';

export function ShortcutsSection() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Keys">
      <p className="muted">{paletteText}</p>
      <div className="row">
        <SmallButton size="sm" onClick={() => setOpen(true)}>
          Show all shortcuts
        </SmallButton>
      </div>
      {open && <ShortcutsDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}
