/**
 * Answers are kept for minutes after their page was left: their timer is nothing that a test leaves behind. Loaded once in a
 * worker, since the library wants its timers to be chosen once.
 */
import { timeoutManager } from '@tanstack/react-query';

timeoutManager.setTimeoutProvider({
  setTimeout: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    (timer as unknown as { unref(): void }).unref(); // of Node, whose types the page does not have
    return timer;
  },
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (callback, delayMs) => setInterval(callback, delayMs),
  clearInterval: (timer) => clearInterval(timer),
});
