/** The exit codes of commands beside 0, done. */
export const exitCodes = { failed: 1, badArguments: 2, noDaemon: 3, interrupted: 130 } as const;
