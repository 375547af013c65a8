/**
 * Limits how often `run` is called for one key. The returned function calls it at once for a new key; for the same key
 * again, it waits for the previous call and the pause, once for all callers that wait.
 * @param pauseMs between the end of a call and the next one
 */
export function createPacedLoad(pauseMs: number, run: (key: string) => Promise<void>): (key: string) => Promise<void> {
  let current: { readonly key: string; readonly paused: Promise<void> } | null = null;
  let planned: Promise<void> | null = null;

  function start(key: string): Promise<void> {
    planned = null;
    const running = run(key);
    const mine = { key, paused: running.then(() => pause(pauseMs)) };
    current = mine;
    void mine.paused.then(() => {
      if (current === mine && planned === null) current = null;
    });
    return running;
  }
  return (key) => {
    const before = current;
    if (before?.key !== key) return start(key);
    planned ??= before.paused.then(() => {
      if (current === before) return start(key); // else another key has replaced it
    });
    return planned;
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
