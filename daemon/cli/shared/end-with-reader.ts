/**
 * Ends the command without a word once nobody reads its output any more, such as after `| head`. Its work is interrupted like
 * by a closed terminal, so that it revokes its token; the exit code is 0, since the reader got all that it wanted.
 */
export function endWithReader(): void {
  let isClosed = false;
  const onError = (error: Error): void => {
    if (isClosed) return;
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    isClosed = true;
    process.on('exit', () => {
      process.exitCode = 0;
    });
    if (process.listenerCount('SIGHUP') > 0) process.emit('SIGHUP', 'SIGHUP');
    else process.exit();
  };
  process.stdout.on('error', onError);
  process.stderr.on('error', onError);
}
