import { hrefOf, hrefWith, switchTab } from './route.ts';

/** The parameter of an address that opens the dialog which publishes. */
const PUBLISH = 'publish';

/** The address of the page with that dialog open. */
export const hrefOfPublish = (ownAppId: string): string =>
  hrefOf('apps', { ownAppId, tab: 'publish', query: `${PUBLISH}=` });

export const isPublishOpen = (query: string): boolean => new URLSearchParams(query).has(PUBLISH);

export const openPublish = (ownAppId: string): void => switchTab(hrefOfPublish(ownAppId));
export const closePublish = (): void => switchTab(hrefWith({ [PUBLISH]: null }));
