import { useState } from 'react';
import { type EndpointRequestText, type Language, languages, snippet } from './request-snippets.ts';
import { SnippetBox } from './SnippetBox.tsx';

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
      {isOpen && request && (
        <SnippetBox name="request" language={language} onLanguage={setLanguage} text={snippet(language, request)} />
      )}
    </details>
  );
}
