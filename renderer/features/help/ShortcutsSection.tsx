import { useState } from 'react';
import { SmallButton } from '../../parts/buttons.tsx';
import { Section } from '../../parts/Section.tsx';
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import { withCtrl } from '../shortcuts/shortcut-text.ts';

export function ShortcutsSection() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Keys">
      <p className="muted">{withCtrl('K')} finds pages, apps, models and actions by a few letters, from everywhere.</p>
      <div className="row">
        <SmallButton size="sm" onClick={() => setOpen(true)}>
          Show all shortcuts
        </SmallButton>
      </div>
      {open && <ShortcutsDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}
