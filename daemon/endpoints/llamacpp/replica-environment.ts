import type { CardPlace } from '../../graphics-cards/card-places.ts';
import { variableProblem } from '../description/llama-variables.ts';

/** Variables of the user's shell that would change the server's settings unnoticed. */
const FOREIGN = /^(LLAMA_|HF_|HUGGING)/i;

/**
 * The whole environment of a replica: the daemon's own for children, what selects its graphics card, then the endpoint's
 * variables as far as they are allowed. Those that are not, which an earlier version may have stored, are named in `notes`.
 */
export function replicaEnvironment(
  base: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
  card: Pick<CardPlace, 'variables'> | null = null,
): { readonly env: Record<string, string>; readonly notes: readonly string[] } {
  const env = Object.fromEntries(Object.entries(base).filter(([name]) => !FOREIGN.test(name)));
  Object.assign(env, card?.variables);
  const notes: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const problem = variableProblem(name, value);
    if (problem === null) env[name] = value;
    else notes.push(`Not passed on: ${problem}`);
  }
  return { env, notes };
}
