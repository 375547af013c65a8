import type { CardPlace } from '../../graphics-cards/card-places.ts';
import { variableProblem } from '../description/llama-variables.ts';

/** Variables of the user's shell that would change the server's settings unnoticed. */
const FOREIGN = /^(LLAMA_|HF_|HUGGING)/i;

/**
 * The whole environment of a replica: the daemon's own for children, the endpoint's variables as far as they are allowed,
 * then what selects its graphics card. Those that are not allowed, which an earlier version may have stored, are named in `notes`.
 */
export function replicaEnvironment(
  base: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
  card: Pick<CardPlace, 'variables'> | null = null,
): { readonly env: Record<string, string>; readonly notes: readonly string[] } {
  const env = Object.fromEntries(Object.entries(base).filter(([name]) => !FOREIGN.test(name)));
  const notes: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const problem = variableProblem(name, value);
    if (problem === null) env[name] = value;
    else notes.push(`Not passed on: ${problem}`);
  }
  // Last: its memory was measured, and no other card's.
  return { env: { ...env, ...card?.variables }, notes };
}
