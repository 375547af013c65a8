/** Deletes an endpoint with the page's dialog, which asks for its name. */
import { expect, type Page } from '@playwright/test';

export async function deleteEndpoint(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${name}` });
  await expect(dialog.getByRole('button', { name: `Delete ${name}` })).toBeDisabled();
  await dialog.getByRole('textbox', { name: `Type ${name} to delete it` }).fill(name);
  await dialog.getByRole('button', { name: `Delete ${name}` }).click();
}
