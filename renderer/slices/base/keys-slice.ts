import type { SetState } from './slice.ts';

/**
 * Whether keys act alone, without Ctrl or Command. Speech input types letters and digits that nobody has pressed, so that they
 * can be switched off (WCAG 2.1.4), in this browser.
 */
export interface KeysSlice {
  readonly singleKeys: boolean;
  readonly setSingleKeys: (isOn: boolean) => void;
}

const KEY = 'robot-desktop.single-keys';

export function createKeysSlice(set: SetState<KeysSlice>): KeysSlice {
  return {
    singleKeys: load(),
    setSingleKeys: (singleKeys) => {
      save(singleKeys);
      set({ singleKeys });
    },
  };
}

function load(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true; // no storage
  }
}

function save(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Without storage, the choice is kept until the page reloads.
  }
}
