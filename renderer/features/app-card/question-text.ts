/** The texts of the questions before an app is removed or reset. */

export const stopFirstText = 'It is running. Stop it first.';

/** @param hasEarlier whether an earlier version is kept, which goes, too */
export const deletesText = (hasEarlier: boolean): string =>
  `Also deletes everything the app saved${hasEarlier ? ', and its earlier version' : ''}. This cannot be undone.`;
export const startupText = 'It is the startup app: afterwards no app starts when the robot wakes up.';
