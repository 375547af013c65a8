/** Dialogs, which nobody sees: recorded, and answered by what the test queued, else as if they were cancelled. */
import type { MessageBoxOptions } from 'electron';
import { record, standIn } from '../record.ts';

/** They come with the window that they belong to, or without. */
type DialogArguments = readonly [options: object] | readonly [window: object, options: object];

function ask(name: string, args: DialogArguments) {
  const options = args.at(-1) ?? {};
  record(`dialog.${name}`, [options]);
  return { options, answer: standIn.dialogAnswers.shift() ?? {} };
}

function messageBox(name: string, args: DialogArguments): { response: number; checkboxChecked: boolean } {
  const { options, answer } = ask(name, args);
  const { cancelId = 0, checkboxChecked = false } = options as MessageBoxOptions;
  return { response: answer.response ?? cancelId, checkboxChecked: answer.checkboxChecked ?? checkboxChecked };
}

function openDialog(name: string, args: DialogArguments): { canceled: boolean; filePaths: string[] } {
  const { answer } = ask(name, args);
  const filePaths = answer.filePaths ?? [];
  return { canceled: answer.canceled ?? filePaths.length === 0, filePaths };
}

function saveDialog(name: string, args: DialogArguments): { canceled: boolean; filePath: string } {
  const { answer } = ask(name, args);
  const filePath = answer.filePath ?? '';
  return { canceled: answer.canceled ?? filePath === '', filePath };
}

export const dialog = {
  showMessageBox: async (...args: DialogArguments) => messageBox('showMessageBox', args),
  showMessageBoxSync: (...args: DialogArguments) => messageBox('showMessageBoxSync', args).response,
  showOpenDialog: async (...args: DialogArguments) => openDialog('showOpenDialog', args),
  showOpenDialogSync: (...args: DialogArguments) => {
    const { canceled, filePaths } = openDialog('showOpenDialogSync', args);
    return canceled ? undefined : filePaths;
  },
  showSaveDialog: async (...args: DialogArguments) => saveDialog('showSaveDialog', args),
  showSaveDialogSync: (...args: DialogArguments) => saveDialog('showSaveDialogSync', args).filePath,
  showErrorBox(title: string, content: string): void {
    record('dialog.showErrorBox', [title, content]);
    process.stderr.write(`${title}\n${content}\n`);
  },
};
