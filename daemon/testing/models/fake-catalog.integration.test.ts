/** The fake catalog service passes the tests of every catalog service. */
import { catalogContract } from './catalog-contract.ts';
import { startFakeCatalog } from './fake-catalog.ts';

catalogContract(async (items) => {
  const service = await startFakeCatalog({ items });
  return { base: service.base, close: () => service[Symbol.asyncDispose]() };
});
