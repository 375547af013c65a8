import { useState } from 'react';
import { Section } from '../../parts/Section.tsx';
import { Readme } from '../readme/Readme.tsx';
import type { ReadmePlace } from '../readme/readme-links.ts';
import { guides } from './help-guides.ts';
import '../../parts/rows.css';

/** The guides link to files that are not here, and have no images. */
const noPlace: ReadmePlace = { key: 'guides', pageOf: null, ownFiles: null, image: null };

/** Shows the guides in their place, and links to the reference of the interface. */
export function GuidesSection() {
  return (
    <Section title="Guides">
      <ul className="rows">
        {guides.map(({ id, title, markdown }) => (
          <li key={id}>
            <GuideText title={title} markdown={markdown} />
          </li>
        ))}
        <li>
          <a href="/api-reference/">The interface for programs: catalog and endpoints</a>
        </li>
      </ul>
    </Section>
  );
}

function GuideText({ title, markdown }: { readonly title: string; readonly markdown: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      <div className="help-guide">{open && <Readme readme={{ markdown, truncated: false }} place={noPlace} />}</div>
    </details>
  );
}
