import { useEffect, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { MenuButton, type OpenMenu } from '../../parts/actions/ActionMenu.tsx';
import { type CopiedAction, callAction, useCopyItem } from '../../parts/actions/CopyMenu.tsx';
import { MenuList } from '../../parts/actions/MenuList.tsx';
import { RefreshIcon, RemoveIcon } from '../../parts/icons.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isUpdatable } from '../versions/version-text.ts';
import { RemoveAppDialog } from './RemoveAppDialog.tsx';
import { ResetAppDialog } from './ResetAppDialog.tsx';

const pages = {
  'Read me': 'readme',
  Output: 'output',
  Runs: 'runs',
  Versions: 'versions',
  Variables: 'variables',
} as const;

/**
 * The actions of an app besides running it: its reset and its removal, and on a card its pages. And all of its actions, to
 * be copied as commands and as requests.
 */
export function AppMenu({ app, withPages = false }: { readonly app: InstalledApp; readonly withPages?: boolean }) {
  const label = useDashboard((s) => titleOf(s, app.name));
  // A dialog is made once it is asked for, since a list has hundreds of menus; and closed, or it would not return the focus.
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(asked !== null), [asked]);
  const dialog = { app, opened, onClose: () => setOpened(false) };
  return (
    <>
      <MenuButton name={`More for ${label}`}>
        {(menu) => <AppMenuList {...menu} app={app} withPages={withPages} onAsk={setAsked} />}
      </MenuButton>
      {asked?.does === 'reset' && <ResetAppDialog {...dialog} noteOnPage={!withPages} />}
      {asked?.does === 'remove' && <RemoveAppDialog {...dialog} />}
    </>
  );
}

/** The action whose dialog is open. */
interface Asked {
  readonly does: 'reset' | 'remove';
}

interface AppMenuListProps extends OpenMenu {
  readonly app: InstalledApp;
  readonly withPages: boolean;
  readonly onAsk: (asked: Asked) => void;
}

function AppMenuList({ app, withPages, onAsk, ...menu }: AppMenuListProps) {
  const { name } = app;
  const connected = useDashboard(isConnected);
  const runs = useDashboard((s) => runOf(s.slot, name) !== null);
  const copyItem = useCopyItem();
  const links = Object.entries(pages).map(([title, tab]) => ({ title, act: hrefOf('apps', { appName: name, tab }) }));
  const actions = [
    { title: 'Reset…', icon: <RefreshIcon size={16} />, does: 'reset' },
    { title: 'Remove…', icon: <RemoveIcon size={16} />, does: 'remove' },
  ] as const;
  const asking = actions.map(({ title, icon, does }) => ({
    ...{ title, icon, disabled: !connected },
    act: () => onAsk({ does }),
  }));
  return <MenuList {...menu} actions={[...(withPages ? links : []), ...copyItem(actionsOf(app, runs)), ...asking]} />;
}

/** The actions of an app that its buttons offer now. */
function actionsOf(app: InstalledApp, runs: boolean): CopiedAction[] {
  const { name, previous, reset } = app;
  const params = { appName: name };
  return [
    ...(runs
      ? [callAction('Stop', 'stopCurrentApp'), callAction('Restart', 'restartCurrentApp')]
      : [callAction('Start', 'startApp', { params })]),
    ...(isUpdatable(app) ? [callAction('Update', 'updateApp', { params })] : []),
    ...(previous === null ? [] : [callAction('Roll back', 'rollBackApp', { params })]),
    callAction('Reset', 'resetApp', { params }),
    ...(reset === null ? [] : [callAction('Undo the reset', 'undoAppReset', { params })]),
    callAction('Remove', 'removeApp', { params }),
  ];
}
