import { useState } from 'react';
import { CopyButton } from '../../parts/actions/buttons.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { type EndpointRequestText, type Language, languages, snippet } from './request-snippets.ts';

interface SnippetBoxProps {
  readonly request: EndpointRequestText;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
}

/** A request as a program, in one of a few languages, to copy. */
export function SnippetBox({ request, language, onLanguage }: SnippetBoxProps) {
  const text = snippet(language, request);
  const label = languages.find(({ value }) => value === language)?.label ?? '';
  return (
    <div className="snippet">
      <div className="row snippet-bar">
        <Segments legend="Language of the request" choices={languages} chosen={language} onChoose={onLanguage} />
        <CopyButton text={() => text} name={`Copy the request as ${label}`} copied="Copied" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="snippet-text" dir="ltr" tabIndex={0} aria-label={`The request as ${label}`}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}

interface RequestAsCodeProps {
  /** null: it is not known now. */
  readonly request: EndpointRequestText | null;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The actual request as a program to copy, when it is opened. */
export function RequestAsCode({ request, isOpen, onOpen }: RequestAsCodeProps) {
  const [language, setLanguage] = useState<Language>(languages[0].value);
  return (
    <details className="request-code" open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary className="small">This request as curl, Python or JavaScript</summary>
      {isOpen && request && <SnippetBox request={request} language={language} onLanguage={setLanguage} />}
    </details>
  );
}
