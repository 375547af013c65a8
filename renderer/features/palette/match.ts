import { plain } from '../../parts/matches-search.ts';

/**
 * Scores how well a text matches what was typed: each word must begin a word, be part of one, or have its letters in
 * order. Ignores case and accents.
 * @returns the higher, the better; 0 if some word does not match
 */
export function matchScore(typed: string, text: string): number {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const plainText = plain(text);
  const scores = words.map((word) => wordScore(word, plainText));
  if (scores.includes(0)) return 0;
  const sum = scores.reduce((total, score) => total + score, 0);
  // Of equal matches, the shorter text comes first.
  return words.length === 0 ? 1 : sum / words.length - Math.min(plainText.length, 200) / 1_000;
}

function wordScore(word: string, text: string): number {
  if (text.startsWith(word)) return 100;
  const at = text.indexOf(word);
  if (at > 0) return isWordStart(text, at) || startsLater(word, text) ? 80 : 50;
  return hasLettersInOrder(word, text) ? 20 : 0;
}

const isWordStart = (text: string, at: number): boolean => !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ');

function startsLater(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return true;
  return false;
}

/** Letters of a word that is at least three long, begin at the start of a word and are at most two apart. */
function hasLettersInOrder(word: string, text: string): boolean {
  if (word.length < 3) return false;
  for (let start = 0; start < text.length; start++) {
    if (text[start] !== word[0] || !isWordStart(text, start)) continue;
    let at = start;
    for (const letter of word.slice(1)) {
      const next = text.indexOf(letter, at + 1);
      if (next < 0 || next - at > 3) {
        at = -1;
        break;
      }
      at = next;
    }
    if (at >= 0) return true;
  }
  return false;
}
