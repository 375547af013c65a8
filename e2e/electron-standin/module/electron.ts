/** The module `electron`. An app can import its members by name, import the whole, or require it. */
export * from './members.ts';
export * as default from './members.ts';
