import { Accelerator, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';

/**
 * Each kind of recipe, an engine on an accelerator, has a bit, so that a filter can require both of one recipe.
 */
const kinds = EngineType.options.flatMap((engineType) =>
  Accelerator.options.map((accelerator) => ({ engineType, accelerator })),
);

/** The bits of all kinds with an accelerator and an engine; undefined: any. */
export function kindsOf(accelerator: Accelerator | undefined, engineType: EngineType | undefined): number {
  return kinds.reduce((bits, kind, index) => {
    const isWanted =
      (accelerator ?? kind.accelerator) === kind.accelerator && (engineType ?? kind.engineType) === kind.engineType;
    return isWanted ? bits | (1 << index) : bits;
  }, 0);
}

/** The bits of the recipes' kinds. */
export function kindsAmong(recipes: readonly Recipe[]): number {
  return recipes.reduce((bits, { accelerator, engineType }) => bits | kindsOf(accelerator, engineType), 0);
}
