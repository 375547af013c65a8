import { Note } from '../../parts/notes/Note.tsx';

interface OverwriteChoiceProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Asks whether the changes that someone made in the Space may be overwritten. */
export function OverwriteChoice({ checked, onChange }: OverwriteChoiceProps) {
  return (
    <Note tone="busy" title="The Space was changed elsewhere since this folder was published.">
      <p>Files of this folder would take the place of those changes. They stay in the history of the Space.</p>
      <label className="overwrite-choice">
        <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
        Overwrite the changes made elsewhere
      </label>
    </Note>
  );
}
