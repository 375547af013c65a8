/** Characters that steer a terminal or turn text around, except tabs. */
const steering = /[^\P{Cc}\t]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** Lines of a program as text to paste: each stays one line, and no character of it steers a terminal. */
export function plainLines(lines: readonly { readonly text: string }[]): string {
  return lines.map(({ text }) => text.replace(steering, '\uFFFD')).join('\n');
}
