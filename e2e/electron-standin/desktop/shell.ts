/** `shell`: nothing outside is opened, everything is recorded. */
import { record } from '../record.ts';

export const shell = {
  async openExternal(url: string): Promise<void> {
    record('shell.openExternal', [url]);
  },
  async openPath(path: string): Promise<string> {
    record('shell.openPath', [path]);
    return '';
  },
  showItemInFolder(path: string): void {
    record('shell.showItemInFolder', [path]);
  },
  async trashItem(path: string): Promise<void> {
    record('shell.trashItem', [path]);
  },
  beep(): void {
    record('shell.beep', []);
  },
};
