import { expect, expectAccessible, makeProject, test } from './page'

test('a section of the settings is saved by its own button, once it was changed', async ({ page }) => {
  const slug = await makeProject(page, 'settings')
  await page.goto(`/p/${slug}/settings`)
  const section = (title: string) => page.locator('section', { has: page.getByRole('heading', { name: title }) })
  const [warmUp, candidates] = [section('Warm-up'), section('Candidates')]
  const save = warmUp.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()

  // By the keyboard alone: the list opens at what is chosen.
  const window = warmUp.getByRole('combobox', { name: 'Series are judged by' })
  await window.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Whole runs' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(window).toHaveText('Steady parts, after warm-up')
  await expect(save).toBeEnabled()
  await expect(section('General').getByRole('button', { name: 'Save' })).toBeDisabled()
  await candidates.getByLabel('Label of the rule').fill('branch')

  await save.click()
  await expect(warmUp.getByRole('status')).toHaveText('Saved')
  await expect(save).toBeDisabled()
  await expect(candidates.getByRole('button', { name: 'Save' })).toBeEnabled()
  await expect(candidates.getByLabel('Label of the rule')).toHaveValue('branch')

  // A reload would lose the other section, so the browser warns.
  const asked = page.waitForEvent('dialog')
  const leaving = page.evaluate(() => setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await leaving
  await candidates.getByLabel('Label of the rule').fill('')
  await expect(candidates.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.reload()
  await expect(warmUp.getByRole('combobox')).toHaveText('Steady parts, after warm-up')
  await expect(candidates.getByLabel('Label of the rule')).toHaveValue('')
})
