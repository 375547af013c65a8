import { hrefOf, hrefWith, replaceAddress } from '../../navigation/route.ts';

/** The parameter of an address that opens the dialog; its value is the address to install from, or empty. */
export const INSTALL = 'install';
/** The parameter that says where that address comes from: `link`, one that was opened outside of the dashboard. */
export const FROM = 'from';

/** The address of the Apps page with the dialog open. */
export const hrefOfInstall = (address = ''): string =>
  hrefOf('apps', { query: new URLSearchParams({ [INSTALL]: address }).toString() });

export const openInstall = (): void => replaceAddress(hrefWith({ [INSTALL]: '' }));
