import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { prepareTree } from './foreign-tree.ts';
import { ReadmeImage } from './ReadmeImage.tsx';
import { linkOf } from './readme-links.ts';
import type { ReadmePlace } from './readme-place.ts';

interface MarkdownProps {
  readonly markdown: string;
  readonly place: ReadmePlace;
}

/**
 * Shows foreign Markdown: without its HTML, sanitised, with links that open outside, and with no request until the user
 * asks for an image.
 */
export function Markdown({ markdown, place }: MarkdownProps) {
  const components: Components = {
    a: ({ href = '', children }) => {
      const to = linkOf(href, place);
      if (to === null) return <span>{children}</span>;
      return (
        <a href={to} target="_blank" rel="noopener noreferrer" title={new URL(to).host}>
          {children}
        </a>
      );
    },
    img: ({ src, alt = '' }) => <ReadmeImage src={typeof src === 'string' ? src : ''} alt={alt} place={place} />,
    table: ({ children }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing else to tab to
      <section className="readme-table" aria-label="Table" tabIndex={0}>
        <table>{children}</table>
      </section>
    ),
    input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  };
  return (
    <ReactMarkdown
      skipHtml
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize, prepareTree]}
      components={components}
    >
      {markdown}
    </ReactMarkdown>
  );
}
