/** Where a window is and in which state. Chromium is told and never asked: Electron's answers come at once. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { runningBrowser } from '../browser/running-browser.ts';
import type { Page } from './page.ts';

type State = 'normal' | 'minimized' | 'maximized' | 'fullscreen';

const ENTERED = { normal: null, minimized: 'minimize', maximized: 'maximize', fullscreen: 'enter-full-screen' };
const LEFT = { normal: null, minimized: 'restore', maximized: 'unmaximize', fullscreen: 'leave-full-screen' };

export abstract class FramedWindow extends EventEmitter {
  protected abstract readonly page: Page;
  #bounds: Rectangle;
  #state: State = 'normal';

  constructor({ x = 0, y = 0, width = 800, height = 600 }: BrowserWindowConstructorOptions) {
    super();
    this.#bounds = { x, y, width, height };
  }

  minimize(): void {
    this.#enter('minimized');
  }
  maximize(): void {
    this.#enter('maximized');
  }
  restore(): void {
    this.#enter('normal');
  }
  unmaximize(): void {
    this.#enter('normal');
  }
  setFullScreen(on: boolean): void {
    this.#enter(on ? 'fullscreen' : 'normal');
  }
  isMinimized(): boolean {
    return this.#state === 'minimized';
  }
  isMaximized(): boolean {
    return this.#state === 'maximized';
  }
  isFullScreen(): boolean {
    return this.#state === 'fullscreen';
  }

  getBounds(): Rectangle {
    return { ...this.#bounds };
  }
  getNormalBounds(): Rectangle {
    return this.getBounds();
  }
  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height];
  }
  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y];
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  setBounds(changes: Partial<Rectangle>): void {
    const before = this.#bounds;
    const { x, y, width, height } = { ...before, ...changes };
    this.#bounds = { x, y, width, height };
    if (x !== before.x || y !== before.y) this.emit('move');
    if (width !== before.width || height !== before.height) this.emit('resize');
    this.applyBounds();
  }

  /** The page gets the whole size: the tabs of Chromium, which Electron has not, come on top. */
  protected applyBounds(): void {
    const { x: left, y: top, width, height } = this.#bounds;
    this.#tellChromium(async (browser, windowId) => {
      await browser.send('Browser.setWindowBounds', { windowId, bounds: { left, top } });
      await browser.send('Browser.setContentsSize', { windowId, width, height });
    });
  }

  #enter(state: State): void {
    if (state === this.#state) return;
    const event = ENTERED[state] ?? LEFT[this.#state];
    this.#state = state;
    this.#tellChromium((browser, windowId) =>
      browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState: state } }),
    );
    if (event) this.emit(event);
  }

  #tellChromium(command: (browser: Browser, windowId: number) => Promise<unknown>): void {
    const told = Promise.all([this.page.ready, runningBrowser()]).then(async ([{ id }, { pipe }]) => {
      const { windowId } = await pipe.browser.send('Browser.getWindowForTarget', { targetId: id });
      await command(pipe.browser, windowId);
    });
    told.catch(() => {}); // the window is gone already
  }
}

type Browser = Awaited<ReturnType<typeof runningBrowser>>['pipe']['browser'];
