import { hrefOf, hrefWith, switchTab } from '../../navigation/route.ts';

/** The parameters of an address that open the dialogs; the value is a folder to begin with, or empty. */
const NEW = 'new';
const ADD = 'add';

/** The address of the tab. */
export const hrefOfOwnApps = (): string => hrefOf('apps', { tab: 'create' });

/** The address of the tab with the dialog for a new app open. */
export const hrefOfNewApp = (): string => hrefOf('apps', { tab: 'create', query: `${NEW}=` });

export const openNewApp = (): void => switchTab(hrefWith({ [NEW]: '', [ADD]: null }));
export const openAddFolder = (): void => switchTab(hrefWith({ [ADD]: '', [NEW]: null }));
export const closeDialogs = (): void => switchTab(hrefWith({ [NEW]: null, [ADD]: null }));

/** The dialogs that an address opens, each with its folder; null: closed. */
export function dialogsOf(query: string): { readonly newIn: string | null; readonly add: string | null } {
  const params = new URLSearchParams(query);
  return { newIn: params.get(NEW), add: params.get(ADD) };
}
