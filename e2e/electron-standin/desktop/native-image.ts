/** Images, of which it is only known whether there is one. */
import { existsSync } from 'node:fs';

export class NativeImage {
  readonly #isEmpty: boolean;

  constructor(isEmpty: boolean) {
    this.#isEmpty = isEmpty;
  }
  isEmpty(): boolean {
    return this.#isEmpty;
  }
  getSize(): { width: number; height: number } {
    return { width: 0, height: 0 };
  }
  resize(): NativeImage {
    return this;
  }
  setTemplateImage(_isTemplate: boolean): void {}
}

export const nativeImage = {
  createEmpty: () => new NativeImage(true),
  createFromPath: (path: string) => new NativeImage(!existsSync(path)),
  createFromBuffer: (bytes: Buffer) => new NativeImage(bytes.length === 0),
  createFromDataURL: (url: string) => new NativeImage(url === ''),
};
