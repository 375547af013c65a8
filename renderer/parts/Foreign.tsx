import type { ElementType } from 'react';
import './foreign.css';

interface ForeignProps {
  /** A name, a description or an output that somebody else wrote. */
  readonly children: string;
  /** Default: a `bdi` within a sentence. */
  readonly as?: ElementType;
  readonly className?: string;
  readonly title?: string | undefined;
}

/**
 * Shows text that the project did not write. It may read from right to left, which must not reorder the words around it,
 * and it may have a word of any length, which must not widen the page.
 */
export function Foreign({ children, as: Tag = 'bdi', className, title }: ForeignProps) {
  return (
    <Tag dir="auto" className={className ? `foreign ${className}` : 'foreign'} title={title}>
      {children}
    </Tag>
  );
}

interface ForeignLinkProps {
  /** Undefined: the text leads nowhere. */
  readonly href: string | undefined;
  readonly children: string;
}

/** A link whose text is foreign. */
export function ForeignLink({ href, children }: ForeignLinkProps) {
  const text = <Foreign>{children}</Foreign>;
  return href === undefined ? text : <a href={href}>{text}</a>;
}
