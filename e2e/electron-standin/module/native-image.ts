/** Pictures are not shown: one knows only that it is there. */
interface Picture {
  resize(): Picture;
}

const picture: Picture = { resize: () => picture };

export const nativeImage = {
  createFromPath: (_path: string): Picture => picture,
  createFromBitmap: (_bitmap: Buffer): Picture => picture,
};
