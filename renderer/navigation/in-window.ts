/** Whether the page is in the window of the desktop program, and not in a browser. */
export const isInWindow = / Electron\//.test(navigator.userAgent);

// The window answers these addresses with the system's dialogs, see electron/page-dialogs.ts.

/** Opens the system's file dialog, in the window only. The chosen file arrives as an address, `#/models?tab=machine&file=…`. */
export const chooseModelFile = (): void => void window.open('/choose-model-file');

/** Opens the system's folder dialog, in the window only. The chosen folder arrives in the address `#/apps?tab=create&new=…`. */
export const chooseFolderForNewApp = (): void => void window.open('/choose-folder-for-new-app');

/** The same for a folder to add to the list: it arrives in `#/apps?tab=create&add=…`. */
export const chooseOwnApp = (): void => void window.open('/choose-own-app');

/** Asks whether to quit the desktop program, in the window only. */
export const quitProgram = (): void => void window.open('/quit');

/** Opens the dashboard in the user's browser, signed in; in the window only. */
export const openInBrowser = (): void => void window.open('/open-in-browser');

/** Signs the window in to the daemon of its data folder; in the window only. */
export const signInHere = (): void => void window.open('/sign-in-here');

/** Ends the desktop program and opens it again: with a daemon of its own, unless another one runs; in the window only. */
export const openAgain = (): void => void window.open('/open-again');
