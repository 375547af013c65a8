/** The ways to use a page: a journey that is written for a `Hand` runs by mouse and by keyboard, with the same checks. */
import { expect, type Locator, type Page } from '@playwright/test';
import { Keyboard } from './keyboard.ts';

export interface Hand {
  /** Presses a button, or follows a link, once it can be. */
  press(control: Locator): Promise<void>;
  /** Replaces the text of a field. */
  fill(field: Locator, text: string): Promise<void>;
  /** Sends the form of the field that was filled last: by its button, or by Enter in the field. */
  send(button: Locator): Promise<void>;
  /** Chooses the last option of a list, once it is there. */
  chooseLast(list: Locator, value: string): Promise<void>;
  /** Switches to a tab of a page. */
  switchTo(tab: Locator): Promise<void>;
  /** Chooses an item of the menu that is open. */
  choose(item: Locator): Promise<void>;
  /** Chooses one of several radio buttons. */
  pick(radio: Locator): Promise<void>;
  /** Ticks or unticks a checkbox. */
  tick(box: Locator): Promise<void>;
  /** By keyboard, expects the focus to be there, since the next key goes to it. A mouse needs no focus. */
  expectFocus(control: Locator): Promise<void>;
  /** The same hand on another page. */
  on(page: Page): Hand;
}

export function byMouse(): Hand {
  return {
    press: (control) => control.click(),
    fill: (field, text) => field.fill(text),
    send: (button) => button.click(),
    async chooseLast(list, value) {
      await lastIs(list, value);
      await list.selectOption(value);
    },
    switchTo: (tab) => tab.click(),
    choose: (item) => item.click(),
    pick: (radio) => radio.click({ force: true }), // its label is what is seen
    tick: (box) => box.click(),
    expectFocus: async () => {},
    on: byMouse,
  };
}

/** Keys only: Tab or Shift+Tab to each control. After each key, something has the focus and can be seen. */
export function byKeyboard(page: Page): Hand {
  const keyboard = new Keyboard(page);
  const focused = () => expect(page.locator(':focus')).toBeVisible();
  const goTo = async (control: Locator) => {
    await expect(control).toBeEnabled();
    await keyboard.goTo(control);
    await expect(control).toBeFocused();
    await expect(control).toBeInViewport();
  };
  const press = async (key: string) => {
    await keyboard.press(key);
    await focused();
  };
  return {
    async press(control) {
      await goTo(control);
      await press('Enter');
    },
    async fill(field, text) {
      await goTo(field);
      await press('Control+a');
      await keyboard.type(text);
      await expect(field).toBeFocused();
      await expect(field).toHaveValue(text);
    },
    send: () => press('Enter'),
    async chooseLast(list, value) {
      await lastIs(list, value);
      await goTo(list);
      await press('End');
      await expect(list).toBeFocused();
    },
    async switchTo(tab) {
      const tabs = tab.locator('xpath=ancestor::*[@role="tablist"]').getByRole('tab');
      await goTo(tabs.and(page.locator('[aria-selected="true"]')));
      for (let moves = await tabs.count(); moves > 0 && !(await keyboard.isFocused(tab)); moves--) {
        await press('ArrowRight');
      }
      await expect(tab).toBeFocused();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
    },
    async choose(item) {
      const items = item.locator('xpath=ancestor::*[@role="menu"]').getByRole('menuitem');
      await expect(item).toBeVisible();
      for (let moves = await items.count(); moves > 0 && !(await keyboard.isFocused(item)); moves--) {
        await press('ArrowDown');
      }
      await expect(item).toBeFocused();
      await press('Enter');
    },
    async pick(radio) {
      const radios = radio.locator('xpath=ancestor::fieldset').getByRole('radio');
      await keyboard.goTo(radios.and(page.locator(':checked')));
      for (let moves = await radios.count(); moves > 0 && !(await keyboard.isFocused(radio)); moves--) {
        await press('ArrowRight');
      }
      await expect(radio).toBeFocused();
      await expect(radio).toBeChecked();
    },
    async tick(box) {
      await goTo(box);
      await press('Space');
    },
    async expectFocus(control) {
      await expect(control)
        .toBeFocused()
        .catch(async (error: Error) => {
          const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300) ?? 'nothing');
          throw new Error(`${error.message}\nThe focus is on ${focus}`, { cause: error });
        });
    },
    on: byKeyboard,
  };
}

const lastIs = (list: Locator, value: string) => expect(list.locator('option').last()).toHaveAttribute('value', value);
