import { Note } from '../../parts/notes/Note.tsx';

/** The most notes of one kind: more would hide the rest of the page. */
export const MAX_NOTES = 3;

interface MoreNoteProps {
  /** How many have no note of their own, and what happened to them: `2 more apps crashed`. */
  readonly children: string;
  /** The page that lists them. */
  readonly page: string;
  readonly href: string;
  /** Undefined: they are states, which stay until they are over. */
  readonly onDismiss?: () => void;
}

/** One line for all that have no note of their own. */
export function MoreNote({ children, page, href, onDismiss }: MoreNoteProps) {
  return (
    <Note
      tone="failed"
      title={
        <>
          {children} → <a href={href}>{page}</a>
        </>
      }
      {...(onDismiss && { dismiss: { name: 'Dismiss this message', onDismiss } })}
    />
  );
}
