import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { appNamesOf } from '../../../daemon/contract/apps/app-names.ts';
import type { AppTemplate } from '../../../daemon/contract/apps/own-apps.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { chooseFolderForNewApp, chooseOwnApp, isInWindow } from '../../navigation/in-window.ts';
import { closeDialogs } from '../../navigation/own-app-address.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { typedPath } from '../../parts/forms/typed-path.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { destinationHelp, folderHelp, folderIn, templates } from './own-app-text.ts';
import './own-apps.css';

interface NewAppFormProps {
  /** The folder in which to create it; empty: the proposed one. */
  readonly destination: string;
}

/** Creates an app from a template and opens its page. */
export function NewAppForm({ destination }: NewAppFormProps) {
  const proposed = useDashboard((s) => s.ownApps.proposedFolder);
  const createOwnApp = useDashboard((s) => s.createOwnApp);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf('own-apps', ['create']));
  const [name, setName] = useState('');
  const [template, setTemplate] = useState<AppTemplate>('default');
  const [folder, setFolder] = useFolder(destination, proposed);
  const names = appNamesOf(name);
  const path = typedPath(folder);
  const isComplete = name.trim() !== '' && folder.trim() !== '';
  const newApp = { name: name.trim(), destination: path, template };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete) return;
    const id = await createOwnApp(newApp);
    if (id === null) return;
    closeDialogs(); // so that Back does not open it again
    navigate(hrefOf('apps', { ownAppId: id }));
  }
  function change(write: () => void): void {
    dismissRefusal('own-apps');
    write();
  }

  const atFolder = folderProblem(refusal);
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <TextInput
        size="md"
        label="Name"
        placeholder="My first app"
        value={name}
        onChange={({ currentTarget }) => change(() => setName(currentTarget.value))}
        maxLength={100}
        autoComplete="off"
        error={atFolder === null ? (problemAt(refusal, 'name') ?? refusal?.message) : null}
        errorProps={{ role: 'alert' }}
        data-autofocus
      />
      <div className="template-cards">
        <RadioList legend="Start with" choices={templates} chosen={template} onChoose={setTemplate} />
      </div>
      <FolderField
        label="In the folder"
        description={destinationHelp}
        value={folder}
        onChange={(next) => change(() => setFolder(next))}
        onChoose={chooseFolderForNewApp}
        error={atFolder}
      />
      {/* Its place is kept before a name is typed. */}
      <dl className="facts name-preview" aria-label="What will be created">
        <Fact name="New folder" mono>
          {names && path ? folderIn(path, names.package) : '–'}
        </Fact>
      </dl>
      <div className="row dialog-actions">
        <Button variant="default" onClick={closeDialogs}>
          Cancel
        </Button>
        <SendButton
          commandKey="own-apps"
          command="create"
          busy="Creating…"
          disabled={!isComplete}
          copies={callAction('Create', 'createOwnApp', { body: newApp })}
          primary
          type="submit"
        >
          Create
        </SendButton>
      </div>
    </form>
  );
}

/** Why nothing can be created in the folder; null: it is not for the folder. */
function folderProblem(refusal: DaemonError | null): string | null {
  return problemAt(refusal, 'destination') ?? (refusal?.status === 404 ? refusal.message : null);
}

/** Adds the folder of an app that exists already, and opens its page. */
export function AddFolderForm({ suggested }: { readonly suggested: string }) {
  const addOwnApp = useDashboard((s) => s.addOwnApp);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf('own-apps', ['add']));
  const [folder, setFolder] = useFolder(suggested);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (folder.trim() === '') return;
    const id = await addOwnApp(typedPath(folder));
    if (id === null) return;
    closeDialogs(); // so that Back does not open it again
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
        description={folderHelp}
        value={folder}
        onChange={change}
        onChoose={chooseOwnApp}
        error={problemAt(refusal, 'folder') ?? refusal?.message ?? null}
        first
      />
      <div className="row dialog-actions">
        <Button variant="default" onClick={closeDialogs}>
          Cancel
        </Button>
        <SendButton
          commandKey="own-apps"
          command="add"
          busy="Adding…"
          disabled={folder.trim() === ''}
          copies={callAction('Add', 'addOwnApp', { body: { folder: typedPath(folder) } })}
          primary
          type="submit"
        >
          Add
        </SendButton>
      </div>
    </form>
  );
}

interface FolderFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Opens the system's folder dialog, in the window only. */
  readonly onChoose: () => void;
  readonly error: string | null;
  /** Whether it has the focus when its dialog opens. */
  readonly first?: boolean;
}

/** Asks for a folder: typed, or chosen in the window's dialog. A browser does not tell a page where a folder is. */
function FolderField({ label, description, value, onChange, onChoose, error, first = false }: FolderFieldProps) {
  return (
    <div className="folder-field">
      <CodeInput
        size="md"
        label={label}
        description={description}
        placeholder="/home/you/robot-apps"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
        {...(first && { 'data-autofocus': true })}
      />
      {isInWindow && (
        <Button size="md" variant="default" onClick={onChoose} aria-label={`Choose: ${label}`}>
          Choose…
        </Button>
      )}
    </div>
  );
}

/** The folder of a form: typed, until another one arrives with the address, where the window's dialog puts it. */
function useFolder(fromAddress: string, otherwise = '') {
  const [folder, setFolder] = useState(fromAddress || otherwise);
  const [arrived, setArrived] = useState(fromAddress);
  if (fromAddress !== arrived) {
    setArrived(fromAddress);
    if (fromAddress !== '') setFolder(fromAddress);
  }
  return [folder, setFolder] as const;
}
