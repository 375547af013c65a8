import { Button } from '@mantine/core';
import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { chooseModelFile, isInWindow } from '../../navigation/in-window.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { folderOf, typedPath } from '../../parts/forms/typed-path.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type Dropped, readDrop } from './dropped-file.ts';
import { dropTitle, pathHelp, signInToCheckText } from './machine-text.ts';

interface CheckFormProps {
  readonly mayChange: boolean;
  /** The path to begin with. */
  readonly suggested: string;
}

/** Asks for the path of a model file: typed, chosen in the window's dialog, or dropped as far as a browser tells it. */
export function CheckForm({ mayChange, suggested }: CheckFormProps) {
  const [path, setPath] = useState(suggested);
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const [isOver, setIsOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const lastFolder = useDashboard((s) => folderOf(s.checkedFile?.path ?? ''));
  const checkModelFile = useDashboard((s) => s.checkModelFile);
  const forgetCheckedFile = useDashboard((s) => s.forgetCheckedFile);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf('own-file'));
  function submit(event: FormEvent): void {
    event.preventDefault();
    setDropped(null);
    const typed = typedPath(path);
    setPath(typed);
    void checkModelFile(typed);
  }
  function change(next: string): void {
    dismissRefusal('own-file');
    // The facts of another file must not be shown, or deployed, for the new path.
    if (next.trim() !== path.trim()) forgetCheckedFile();
    setPath(next);
  }
  function overIt(event: DragEvent): void {
    event.preventDefault(); // else the browser opens the file
    event.dataTransfer.dropEffect = mayChange ? 'copy' : 'none';
    setIsOver(mayChange);
  }
  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setIsOver(false);
    if (!mayChange) return;
    const read = await readDrop(event.dataTransfer);
    setDropped(read);
    if (read.kind === 'path') change(read.path);
    if (read.kind === 'name') change((folderOf(path) || lastFolder) + read.name);
    if (read.kind !== 'unusable') field.current?.focus();
  }
  return (
    <form
      className={isOver ? 'stack own-file-drop own-file-over' : 'stack own-file-drop'}
      aria-label="Check a model file"
      onSubmit={submit}
      onDragOver={overIt}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <div className="own-file-form">
        <CodeInput
          ref={field}
          size="md"
          label="Path"
          description={mayChange ? pathHelp : signInToCheckText}
          placeholder="/home/me/models/model.gguf"
          value={path}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={refusal?.message}
          disabled={!mayChange}
        />
        {isInWindow && (
          <Button size="md" variant="default" disabled={!mayChange} onClick={chooseModelFile}>
            Choose…
          </Button>
        )}
        <SendButton
          commandKey="own-file"
          busy="Checking…"
          type="submit"
          size="md"
          disabled={!mayChange || path.trim() === ''}
          copies={callAction('Check', 'checkModelFile', { body: { path: typedPath(path) } })}
        >
          Check
        </SendButton>
      </div>
      <DropNote dropped={dropped} path={path} />
    </form>
  );
}

/** Says what a drop gave, and what is left to do. */
function DropNote({ dropped, path }: { readonly dropped: Dropped | null; readonly path: string }) {
  if (dropped?.kind === 'unusable') return <Note tone="failed" urgent title={dropped.message} />;
  if (dropped?.kind !== 'name') return null;
  return (
    <Note tone="idle" urgent title={dropTitle}>
      <p>
        {folderOf(path) === '' ? (
          <>
            Put its folder before <span className="mono">{dropped.name}</span>, then check it.
          </>
        ) : (
          <>
            If it is not in <span className="mono">{folderOf(path)}</span>, correct the path; then check it.
          </>
        )}{' '}
        Nothing was uploaded.
      </p>
    </Note>
  );
}
