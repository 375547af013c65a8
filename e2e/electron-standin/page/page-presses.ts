import type { DevToolsSession } from '../chromium/devtools.ts';
import { runInPage } from './page-script.ts';

/** Reports each time that a person presses the page, or a key. */
export function followPresses(session: DevToolsSession, onPress: () => void): Promise<void> {
  const script = { binding: 'electronStandInPressed', world: 'electron-stand-in', run: watchPresses };
  return runInPage(session, script, onPress);
}

function watchPresses(report: (text: string) => void): void {
  const press = (event: Event) => {
    if (event.isTrusted) report('');
  };
  for (const name of ['pointerdown', 'pointerup', 'keydown']) window.addEventListener(name, press, true);
}
