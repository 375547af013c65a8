/** What the app did that has no effect here, and how its dialogs are to be answered: read and written by tests. */

export interface RecordedCall {
  /** `shell.openExternal`, say. */
  readonly name: string;
  /** What can be cloned of its arguments. */
  readonly args: readonly unknown[];
}

/** Of any dialog; what is left out stays the default. */
export interface DialogAnswer {
  readonly response?: number;
  readonly checkboxChecked?: boolean;
  readonly canceled?: boolean;
  readonly filePaths?: string[];
  readonly filePath?: string;
}

/** The member `standIn` of the module `electron`, which Electron has not. */
export const standIn = {
  calls: [] as RecordedCall[],
  /** Taken one by one, by whichever dialog comes next. */
  dialogAnswers: JSON.parse(process.env['STANDIN_DIALOG_ANSWERS'] ?? '[]') as DialogAnswer[],
};

export function record(name: string, args: readonly unknown[]): void {
  standIn.calls.push({ name, args: args.map(cloneable) });
}

/** Gives an object methods that are recorded and do nothing else. */
export function addRecordedMethods(target: object, name: string, methods: readonly string[]): void {
  for (const method of methods) {
    const value = (...args: unknown[]) => record(`${name}.${method}`, args);
    Object.defineProperty(target, method, { value, configurable: true, writable: true });
  }
}

function cloneable(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return String(value); // it has cycles
  }
}
