import { useId } from 'react';
import { CopyButton } from '../../parts/buttons.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { type Language, languages } from './request-snippets.ts';

interface SnippetBoxProps {
  /** Its name, for screen readers. */
  readonly name: string;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  readonly text: string;
}

/** A request as a program, in one of a few languages, to copy. */
export function SnippetBox({ name, language, onLanguage, text }: SnippetBoxProps) {
  const id = useId();
  const label = languages.find(({ value }) => value === language)?.label ?? '';
  return (
    <div className="snippet">
      <div className="snippet-bar">
        <Segments
          legend={`Language of the ${name}`}
          name={id}
          choices={languages}
          chosen={language}
          onChoose={onLanguage}
        />
        <CopyButton text={() => text} name={`Copy the ${name} as ${label}`} copied="Copied" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="snippet-text" dir="ltr" tabIndex={0} aria-label={`The ${name} as ${label}`}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
