/** An event of the fake Electron, which a listener may prevent. */
export class FakeEvent {
  defaultPrevented = false;
  readonly url: string;
  readonly isMainFrame: boolean;
  constructor(url = '', isMainFrame = true) {
    this.url = url;
    this.isMainFrame = isMainFrame;
  }
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
