/** Words of lines that tell of an error. */
const WORDS =
  /\b(?:errors?|failed|failure|fatal|exception|traceback|panic(?:ked)?|abort(?:ed|ing)?|cannot|could not|unable to|out of memory|segmentation fault|assertion)\b/i;
/** A level before the message: `E load: …`, `0.00.123.456 E load: …`, `[ERROR] …`. */
const LEVEL = /^(?:[\d.:]+ )?(?:E |\[(?:ERR|ERROR|FATAL|CRITICAL)\])/;

/** Whether a line of a model server tells of an error. A guess, by its words: the servers write all lines to stderr. */
export function isErrorLine(text: string): boolean {
  return LEVEL.test(text) || WORDS.test(text);
}
