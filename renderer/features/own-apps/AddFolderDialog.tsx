import { Button, Modal } from '@mantine/core';
import type { FormEvent } from 'react';
import { problemAt } from '../../api/daemon-error.ts';
import { chooseOwnApp } from '../../navigation/in-window.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { typedPath } from '../../parts/forms/typed-path.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { FolderField, useFolder } from './FolderField.tsx';

interface AddFolderDialogProps {
  readonly opened: boolean;
  readonly folder: string;
  readonly onClose: () => void;
}

/** Adds the folder of an app that exists already, and opens its page. */
export function AddFolderDialog({ opened, folder, onClose }: AddFolderDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a folder">
      <AddFolderForm folder={folder} onClose={onClose} />
    </Modal>
  );
}

function AddFolderForm({ folder: suggested, onClose }: Omit<AddFolderDialogProps, 'opened'>) {
  const addOwnApp = useDashboard((s) => s.addOwnApp);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const { pending, blocked } = useCommand('own-apps', 'add');
  const refusal = useDashboard(refusalOf('own-apps', ['add']));
  const [folder, setFolder] = useFolder(suggested);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (folder.trim() === '') return;
    const id = await addOwnApp(typedPath(folder));
    if (id === null) return;
    onClose(); // so that Back does not open it again
    navigate(hrefOf('apps', { ownAppId: id }));
  }
  function change(next: string): void {
    dismissRefusal('own-apps');
    setFolder(next);
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <FolderField
        label="Folder of the app"
        description="The full path of the folder that holds pyproject.toml. It is used where it is; nothing in it is changed."
        value={folder}
        onChange={change}
        onChoose={chooseOwnApp}
        error={problemAt(refusal, 'folder') ?? refusal?.message ?? null}
        first
      />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={blocked || folder.trim() === ''}>
          {pending ? 'Adding…' : 'Add'}
        </Button>
      </div>
    </form>
  );
}
