import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { TreeNode } from './foreign-tree.ts';
import { ReadmeImage } from './ReadmeImage.tsx';
import { linkOf } from './readme-links.ts';
import type { ReadmePlace } from './readme-place.ts';

interface MarkdownProps {
  /** Sanitised. */
  readonly tree: TreeNode;
  readonly place: ReadmePlace;
}

/** Shows foreign Markdown, with links that open outside and no request until the user asks for an image. */
export function Markdown({ tree, place }: MarkdownProps) {
  const components: Partial<Components> = {
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
  return toJsxRuntime(tree as Parameters<typeof toJsxRuntime>[0], {
    Fragment,
    jsx,
    jsxs,
    components,
    ignoreInvalidStyle: true,
  });
}
