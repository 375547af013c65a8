/** The module `electron`: as Electron's, it can be imported by name, as a whole, and required. */
export * from './electron-members.ts';
export * as default from './electron-members.ts';
