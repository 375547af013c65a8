/** Whether the operating system refused a call, such as the read of a file: its message says which call, and why. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
