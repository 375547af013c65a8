import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useRef, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { DoneTaskIcon, TaskIcon } from '../../parts/icons.tsx';
import { useAsked } from '../../store/use-asked.ts';
import { imageOf, linkOf, type ReadmePlace } from './readme-links.ts';
import type { TreeNode } from './readme-tree.ts';

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
    input: ({ checked }) => <TaskMark isDone={checked === true} />,
  };
  return toJsxRuntime(tree as Parameters<typeof toJsxRuntime>[0], {
    Fragment,
    jsx,
    jsxs,
    components,
    ignoreInvalidStyle: true,
  });
}

/** The box before an item of a list of tasks. */
function TaskMark({ isDone }: { readonly isDone: boolean }) {
  return (
    <span className="readme-task">
      {isDone ? <DoneTaskIcon size={16} /> : <TaskIcon size={16} />}
      <span className="visually-hidden">{isDone ? 'done:' : 'to do:'}</span>
    </span>
  );
}

interface ReadmeImageProps {
  readonly src: string;
  readonly alt: string;
  readonly place: ReadmePlace;
}

/** An image of a README. One of the repository is shown after a click; another is a link that names its host. */
function ReadmeImage({ src, alt, place }: ReadmeImageProps) {
  const target = imageOf(src, place);
  const [asked, setAsked] = useState(false);
  const slot = useRef<HTMLSpanElement>(null);
  if (!target) return alt ? <Foreign>{alt}</Foreign> : null;
  if (target.kind === 'elsewhere') {
    return (
      <a href={target.href} target="_blank" rel="noopener noreferrer">
        Image at <Foreign>{target.host}</Foreign>
        {alt && (
          <>
            : <Foreign>{alt}</Foreign>
          </>
        )}
      </a>
    );
  }
  function show(): void {
    slot.current?.focus({ preventScroll: true }); // the button goes away
    setAsked(true);
  }
  return (
    <span className="readme-slot" tabIndex={-1} ref={slot}>
      {asked ? (
        <OwnImage path={target.path} alt={alt} place={place} />
      ) : (
        <SmallButton className="readme-show" onClick={show}>
          Show the image <Foreign>{alt || target.path}</Foreign>
        </SmallButton>
      )}
    </span>
  );
}

interface OwnImageProps extends Pick<ReadmeImageProps, 'alt' | 'place'> {
  readonly path: string;
}

function OwnImage({ path, alt, place }: OwnImageProps) {
  const { value, error, again } = useAsked(['readme-image', place.key, path], (call, signal) => {
    if (!place.image) throw new Error('This README has no images of its own.');
    return place.image(call, path, signal);
  });
  if (value) return <img className="readme-image" src={`data:${value.type};base64,${value.base64}`} alt={alt} />;
  if (!error) return <span className="muted">Loading the image…</span>;
  return (
    <span>
      <Foreign>{alt || path}</Foreign>: <span role="alert">{error.message}</span>{' '}
      <SmallButton onClick={again}>Try again</SmallButton>
    </span>
  );
}
