/** The texts of a reset, and of its undo. */

export const staysText = 'Its version, its models and its runs stay. You can undo the reset for 24 hours.';
export const nothingText = 'It has saved no files, and has no variables.';
/** Without a full stop: the reason follows. */
export const unlistedText = 'What it has saved could not be listed';
export const replaceText = 'Undo the reset and lose that';

/** @param contents in words, `3 files, 1.2 MB, and 2 variables` */
export const removesText = (contents: string): string => `Removes ${contents}.`;

/** @param running whether it has to be stopped first */
export const untilText = (until: string, running: boolean): string =>
  `${running ? 'Stop it first. ' : ''}You can undo the reset until ${until}.`;
