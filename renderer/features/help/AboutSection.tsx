import { useState } from 'react';
import licence from '../../../LICENSE?raw';
import { Fact } from '../../parts/Fact.tsx';
import { Section } from '../../parts/Section.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import '../../parts/notes/job-log.css';

export function AboutSection() {
  const version = useDashboard((s) => s.daemon?.version);
  const [open, setOpen] = useState(false);
  return (
    <Section title="About">
      <dl className="facts">
        <Fact name="Version">{version ?? 'unknown'}</Fact>
        <Fact name="Licence">Apache License 2.0</Fact>
      </dl>
      <details className="small" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Text of the licence</summary>
        {open && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <pre className="job-log" tabIndex={0}>
            {licence}
          </pre>
        )}
      </details>
    </Section>
  );
}
