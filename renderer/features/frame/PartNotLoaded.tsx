import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { type NotLoadedProps, ReloadButton } from '../../parts/on-demand/PageNotLoaded.tsx';
import { dialogNotLoadedText, signInNotLoadedText } from './frame-text.ts';
import type { OverlaysProps } from './Overlays.tsx';

/** Shown instead of a dialog that could not be loaded. */
export function DialogNotLoaded({ onOpen, reason, reload }: OverlaysProps & NotLoadedProps) {
  return (
    <Note
      tone="failed"
      urgent
      title={dialogNotLoadedText}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => onOpen(null) }}
      actions={<ReloadButton reload={reload} />}
    >
      <p className="mono">{reason}</p>
    </Note>
  );
}

/** Shown instead of the form to sign in. The daemon that refuses this browser sends the page again all the same. */
export function SignInNotLoaded({ reason, reload }: NotLoadedProps) {
  return (
    <Note tone="failed" urgent title={signInNotLoadedText} actions={<SmallButton onClick={reload}>Reload</SmallButton>}>
      <p className="mono">{reason}</p>
    </Note>
  );
}
