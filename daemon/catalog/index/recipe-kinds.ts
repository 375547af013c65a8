import { Accelerator, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';

/**
 * The kinds of recipe that there are, an engine on an accelerator, have a bit each: so an accelerator and an engine can
 * be asked of one recipe together.
 */
const kinds = EngineType.options.flatMap((engineType) =>
  Accelerator.options.map((accelerator) => ({ engineType, accelerator })),
);

/** The bits of all kinds with that accelerator and that engine; what is undefined may be any. */
export function kindsOf(accelerator: Accelerator | undefined, engineType: EngineType | undefined): number {
  return kinds.reduce((bits, kind, index) => {
    const isAsked =
      (accelerator ?? kind.accelerator) === kind.accelerator && (engineType ?? kind.engineType) === kind.engineType;
    return isAsked ? bits | (1 << index) : bits;
  }, 0);
}

/** The bits of the kinds that are among the recipes. */
export function kindsAmong(recipes: readonly Recipe[]): number {
  return recipes.reduce((bits, { accelerator, engineType }) => bits | kindsOf(accelerator, engineType), 0);
}
