/** Whether `ready` was emitted: several of Electron's members refuse to be used earlier. */
export const readiness = { isReady: false };

export function requireReady(complaint: string): void {
  if (!readiness.isReady) throw new Error(complaint);
}
