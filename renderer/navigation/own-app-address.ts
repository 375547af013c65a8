import { hrefOf, hrefWith, replaceAddress } from './route.ts';

/** The parameter of an address that opens the dialog which publishes. */
const PUBLISH = 'publish';

/** The address of the page with that dialog open. */
export const hrefOfPublish = (ownAppId: string): string =>
  hrefOf('apps', { ownAppId, tab: 'publish', query: `${PUBLISH}=` });

export const isPublishOpen = (query: string): boolean => new URLSearchParams(query).has(PUBLISH);

export const openPublish = (ownAppId: string): void => replaceAddress(hrefOfPublish(ownAppId));
export const closePublish = (): void => replaceAddress(hrefWith({ [PUBLISH]: null }));

/** The parameters of an address that open the dialogs; the value is a folder to begin with, or empty. */
const NEW = 'new';
const ADD = 'add';

export const hrefOfOwnApps = (): string => hrefOf('apps', { tab: 'create' });

/** The address of the tab with the dialog for a new app open. */
export const hrefOfNewApp = (): string => hrefOf('apps', { tab: 'create', query: `${NEW}=` });

export const openNewApp = (): void => replaceAddress(hrefWith({ [NEW]: '', [ADD]: null }));
export const openAddFolder = (): void => replaceAddress(hrefWith({ [ADD]: '', [NEW]: null }));
export const closeDialogs = (): void => replaceAddress(hrefWith({ [NEW]: null, [ADD]: null }));

/** The dialogs that an address opens, each with its folder; null: closed. */
export function dialogsOf(query: string): { readonly newIn: string | null; readonly add: string | null } {
  const params = new URLSearchParams(query);
  return { newIn: params.get(NEW), add: params.get(ADD) };
}
