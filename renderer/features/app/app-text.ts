/** Says why the page of an app has no app. */
export const missingAppText = 'It was removed, or its name in the address is misspelt.';

/** Before the link to the runs. */
export const noOutputText = 'Output appears here while the app runs; that of earlier runs is under';

export const noRunsText = 'Each run is listed here when it has ended.';
/** @param most how many are listed */
export const onlyNewestText = (most: number): string => `Only the newest ${most} are listed.`;

/** Under the switch that makes a variable a secret. */
export const secretHelp = 'Stored encrypted, never shown again.';
/** In the place of the value of a secret. */
export const secretText = (isUnreadable = false): string =>
  isUnreadable ? 'can no longer be read: replace it' : 'stored, not shown';

/** Says which apps declare the same port for their pages. @param names at least two */
export function sharedPortText(names: readonly string[], port: number): string {
  const all = [names.slice(0, -1).join(', '), names.at(-1)].join(' and ');
  return `${all} ${names.length === 2 ? 'both' : 'all'} use port ${port}; only the running one's page opens.`;
}
