/**
 * Ends this process when its parent is gone, or asks for it by SIGTERM. By SIGKILL: the native library takes over a second
 * to end in order, and has nothing to save.
 * @param close removes what would stay behind
 */
export function endWithParent(close: () => void): void {
  const end = () => {
    close();
    process.kill(process.pid, 'SIGKILL');
  };
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  parentPort()?.on('close', end);
}

/** Electron's channel to the parent of a utility process; null: this is plain Node. */
function parentPort(): NodeJS.EventEmitter | null {
  return (process as { parentPort?: NodeJS.EventEmitter }).parentPort ?? null;
}
