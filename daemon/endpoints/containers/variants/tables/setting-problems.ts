import type { Reserved, Variant } from './variant.ts';

/** Why an endpoint may not pass an argument to its engine, in one sentence; null: it may. */
export function argumentProblem({ reservedArguments }: Variant, word: string): string | null {
  const name = word.startsWith('--') ? (word.split('=')[0] ?? '').replaceAll('_', '-') : word;
  return sentence(reservedArguments, name);
}

/** Why an endpoint may not set a variable of its engine, in one sentence; null: it may. */
export function reservedVariableProblem({ reservedVariables }: Variant, name: string): string | null {
  return sentence(reservedVariables, name);
}

function sentence(reserved: Reserved, name: string): string | null {
  const reason = Object.hasOwn(reserved, name) ? reserved[name] : undefined;
  return reason === undefined ? null : `An endpoint may not set ${name}: ${reason}.`;
}
