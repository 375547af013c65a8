import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { type AppNames, appNamesOf } from '../../../daemon/contract/apps/app-names.ts';
import type { AppTemplate } from '../../../daemon/contract/apps/own-apps.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { chooseFolderForNewApp } from '../../navigation/in-window.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { Fact } from '../../parts/Fact.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { typedPath } from '../../parts/forms/typed-path.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { FolderField, useFolder } from './FolderField.tsx';
import { folderIn, templates } from './own-app-text.ts';
import './own-apps.css';

interface NewAppDialogProps {
  readonly opened: boolean;
  /** The folder in which to create it; empty: the proposed one. */
  readonly destination: string;
  readonly onClose: () => void;
}

/** Creates an app from a template and opens its page. */
export function NewAppDialog({ opened, destination, onClose }: NewAppDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New app" size="lg">
      <NewAppForm destination={destination} onClose={onClose} />
    </Modal>
  );
}

function NewAppForm({ destination, onClose }: Omit<NewAppDialogProps, 'opened'>) {
  const proposed = useDashboard((s) => s.ownApps.proposedFolder);
  const createOwnApp = useDashboard((s) => s.createOwnApp);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const { pending, blocked } = useCommand('own-apps', 'create');
  const refusal = useDashboard(refusalOf('own-apps', ['create']));
  const [name, setName] = useState('');
  const [template, setTemplate] = useState<AppTemplate>('default');
  const [folder, setFolder] = useFolder(destination, proposed);
  const names = appNamesOf(name);
  const isComplete = name.trim() !== '' && folder.trim() !== '';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete) return;
    const id = await createOwnApp({ name: name.trim(), destination: typedPath(folder), template });
    if (id === null) return;
    onClose(); // so that Back does not open it again
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
        error={atFolder === null ? refusal && nameProblem(refusal) : null}
        errorProps={{ role: 'alert' }}
        data-autofocus
      />
      <div className="template-cards">
        <RadioList legend="Start with" choices={templates} chosen={template} onChoose={setTemplate} />
      </div>
      <FolderField
        label="In the folder"
        description="The app gets a folder of its own in it. Nothing that exists is changed."
        value={folder}
        onChange={(next) => change(() => setFolder(next))}
        onChoose={chooseFolderForNewApp}
        error={atFolder}
      />
      <NamePreview names={names} destination={typedPath(folder)} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={blocked || !isComplete}>
          {pending ? 'Creating…' : 'Create'}
        </Button>
      </div>
    </form>
  );
}

/** Why nothing can be created in the folder; null: it is not for the folder. */
function folderProblem(refusal: DaemonError | null): string | null {
  return problemAt(refusal, 'destination') ?? (refusal?.status === 404 ? refusal.message : null);
}

const nameProblem = (refusal: DaemonError): string => problemAt(refusal, 'name') ?? refusal.message;

interface NamePreviewProps {
  /** null: the name is not typed yet. */
  readonly names: AppNames | null;
  readonly destination: string;
}

/** Shows what will be created, while the name is typed. Its place is kept before. */
function NamePreview({ names, destination }: NamePreviewProps) {
  return (
    <dl className="facts name-preview" aria-label="What will be created">
      <Fact name="Folder">
        <span className="mono">{names && destination ? folderIn(destination, names.package) : '–'}</span>
      </Fact>
      <Fact name="Package">
        <span className="mono">{names?.package ?? '–'}</span>
      </Fact>
    </dl>
  );
}
