import { expect, test } from 'vitest';
import { type OperationName, operations } from '../../contract/operations/operations.ts';
import { addresses } from './addresses.ts';

test.each(Object.entries(operations))('the address of %s is the one in the contract', (name, { method, path }) => {
  expect(addresses[name as OperationName]).toBe(`${method} ${path}`);
});
