/** Whether the page is in the window of the desktop program, and not in a browser. */
export const isInWindow = / Electron\//.test(navigator.userAgent);

/** The window answers this address with the system's file dialog, see electron/desktop-app.ts. */
const CHOOSE_MODEL_FILE = '/choose-model-file';

/** Opens the system's file dialog, in the window only. The chosen file arrives as an address, `#/models?tab=machine&file=…`. */
export const chooseModelFile = (): void => void window.open(CHOOSE_MODEL_FILE);
