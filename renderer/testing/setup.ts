import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

// On a busy machine the default of one second is too short.
configure({ asyncUtilTimeout: 10_000 });

// jsdom drives all frames by one interval. If a test begins it while it fakes intervals, no frame comes in later files.
const { setTimeout: later, clearTimeout: cancel } = globalThis;
window.requestAnimationFrame = (callback) => Number(later(() => callback(performance.now()), 16));
window.cancelAnimationFrame = (handle) => cancel(handle);

// Stubs of what Mantine needs and jsdom lacks.
window.matchMedia = (query) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => {};
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

// Time stands still unless a test moves it: a page on a busy machine would show fewer seconds left.
beforeEach(() => void vi.setSystemTime(Date.now()));
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  document.body.replaceChildren(); // the files of a worker share the page
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = '';
});
