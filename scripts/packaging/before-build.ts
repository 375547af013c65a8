/**
 * electron-builder asks this before it packs. All that the archive needs is bundled: without this it would look for
 * node_modules and rebuild them, which takes most of its time.
 */
export default async function beforeBuild(): Promise<boolean> {
  return false;
}
