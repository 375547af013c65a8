import { whyNoCard } from '../../graphics-cards/card-problems.ts';
import type { GraphicsCards } from '../../graphics-cards/graphics-cards.ts';

/** The systems for which the bundled runner has a build for graphics cards. */
const RUNNER_USES_CARDS: ReadonlySet<string> = new Set(['linux-x64', 'win32-x64', 'darwin-arm64']);

interface CardBuildDeps {
  readonly cards: Pick<GraphicsCards, 'find'>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Why models use no card, by the files of the kernel; null: it knows none. */
  readonly ofKernel?: typeof whyNoCard;
}

/**
 * Whether a llama-server that is built for graphics cards is of use on this machine: models can use a card. The runner
 * knows; where it is not included or has no build for cards, the kernel does: a card that this user may open counts.
 */
export async function wantsCardBuild(deps: CardBuildDeps): Promise<boolean> {
  const { cards, platform, arch, ofKernel = whyNoCard } = deps;
  const { isOn, hasFailed, cards: found, problem } = await cards.find();
  if (!isOn || hasFailed) return false;
  const runnerKnows = problem?.kind !== 'not-included' && RUNNER_USES_CARDS.has(`${platform}-${arch}`);
  if (runnerKnows) return problem === null && found.length > 0;
  return (await ofKernel())?.kind === 'no-driver';
}
