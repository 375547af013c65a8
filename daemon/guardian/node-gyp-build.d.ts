/** Finds and loads the native code of a package for this system. A dependency of the serial port's library, without types. */
declare module 'node-gyp-build' {
  /** @param folder the one that has `prebuilds`. @throws Error when there is none for this system */
  export default function load(folder: string): unknown;
}
