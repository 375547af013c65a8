const KEY = 'robot-desktop.reloaded-for';

/**
 * Keeps in mind, over a reload of this tab, that the page was reloaded because a part of it could not be loaded.
 * @param instanceId the daemon that answered then
 * @returns false if the tab can keep nothing
 */
export function recordReload(part: string, instanceId: string): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...records(), [part]: instanceId }));
    return wasReloadedFor(part, instanceId);
  } catch {
    return false;
  }
}

export function wasReloadedFor(part: string, instanceId: string): boolean {
  return records()[part] === instanceId;
}

/** @returns whether there was a record */
export function forgetReload(part: string): boolean {
  const { [part]: record, ...others } = records();
  if (record !== undefined) sessionStorage.setItem(KEY, JSON.stringify(others));
  return record !== undefined;
}

function records(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
