import { beforeEach, expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { localItems } from './palette-items.ts';

beforeEach(() => sessionStorage.clear());

test('the comparison is found once there are several models to compare', () => {
  const { store } = testDashboard();
  const dialogs = { askToRemove: () => {}, openNotifications: () => {} };
  const found = () => localItems(store.getState(), 'compare', dialogs).filter(({ id }) => id === 'compare');
  store.getState().setCompared(['anna/big']);
  expect(found()).toEqual([]);
  store.getState().setCompared(['anna/big', 'ben/odd']);
  expect(found()).toMatchObject([{ href: '#/models?tab=compare&compare=anna%2Fbig%2Cben%2Fodd' }]);
});
