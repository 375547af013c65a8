import { BadArguments } from './bad-arguments.ts';

/** A parser of an option's value. @throws BadArguments */
export const wholeNumber =
  (option: string, least: 0 | 1) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new BadArguments(`${option} needs a whole number, ${least} or more.`);
  };

/** Likewise, for a number that need not be whole. */
export const positiveNumber =
  (option: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
    throw new BadArguments(`${option} needs a number, 0 or more.`);
  };
