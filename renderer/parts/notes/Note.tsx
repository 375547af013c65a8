import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { StateMark, type Tone } from './StateWord.tsx';
import './note.css';

interface NoteProps {
  readonly tone: Tone;
  /** The event, in a sentence. */
  readonly title: ReactNode;
  /** Announced at once, for the result of a user's action. */
  readonly urgent?: boolean;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  readonly dismiss?: { readonly name: string; readonly onDismiss: () => void };
}

/** A message to the user: what happened, why, what to do. */
export function Note({ tone, title, urgent = false, actions, children, dismiss }: NoteProps) {
  return (
    <div className={`note note-${tone}`} role={urgent ? 'alert' : undefined}>
      <StateMark tone={tone} />
      <div className="note-text">
        <p className="note-title">{title}</p>
        {children}
        {actions && <div className="row note-actions">{actions}</div>}
      </div>
      {dismiss && <CloseButton size="sm" aria-label={dismiss.name} title={dismiss.name} onClick={dismiss.onDismiss} />}
    </div>
  );
}
