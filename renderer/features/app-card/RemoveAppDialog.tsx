import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { Fact } from '../../parts/Fact.tsx';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppDialog, AppQuestion } from './AppQuestion.tsx';
import { deletesText, startupText } from './question-text.ts';

interface RemoveAppDialogProps {
  readonly app: InstalledApp;
  readonly opened: boolean;
  /** Stays on the page, which is not about this app. */
  readonly stay?: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation and lists what a removal deletes, with sizes. */
export function RemoveAppDialog({ app, opened, stay = false, onClose }: RemoveAppDialogProps) {
  return (
    <AppDialog app={app} verb="Remove" opened={opened} onClose={onClose}>
      <RemoveApp app={app} stay={stay} onClose={onClose} />
    </AppDialog>
  );
}

function RemoveApp({ app, stay, onClose }: Omit<RemoveAppDialogProps, 'opened'>) {
  const { name } = app;
  const { value: disk } = useAsked(['disk', name], (call, signal) =>
    call('getAppDisk', { params: { appName: name }, signal }),
  );
  const startsByItself = useDashboard((s) => s.startupApp === name);
  const sum = disk && disk.environment + disk.previous + disk.files;
  return (
    <AppQuestion
      app={app}
      command="remove"
      {...(sum !== null && { more: ` and its ${byteText(sum)}` })}
      onDone={() => {
        if (!stay) navigate(hrefOf('apps'));
      }}
      onClose={onClose}
    >
      <p>{deletesText(app.previous !== null)}</p>
      <dl className="facts">
        <Fact name="Environment">{sizeText(disk?.environment)}</Fact>
        {app.previous && <Fact name="Earlier version">{sizeText(disk?.previous)}</Fact>}
        <Fact name="Saved files">{sizeText(disk?.files)}</Fact>
      </dl>
      {startsByItself && <p>{startupText}</p>}
    </AppQuestion>
  );
}

const sizeText = (bytes: number | undefined): string => (bytes === undefined ? '…' : byteText(bytes));
