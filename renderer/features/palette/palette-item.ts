/** A line of the palette. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Shown at the end of the line: the kind, the state, the shortcut. */
  readonly hint: string;
  /** Further words that find it. */
  readonly words?: string;
  /** The address that is opened first. */
  readonly href?: string;
  readonly run?: () => unknown;
}
