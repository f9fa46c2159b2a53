import { readFileSync, writeFileSync } from 'node:fs'
import { dropFile } from './drop'
import { expect, expectAccessible, makeProject, test } from './page'

test("secrets are masked, kept at the sender's request, and masked again", async ({ page }, info) => {
  const slug = await makeProject(page, 'secrets')
  const file = info.outputPath('bench.txt')
  const output = readFileSync('tests/fixtures/hey-text/four-status-codes.txt', 'utf8')
  writeFileSync(file, `$ hey -H "Authorization: Bearer PLANTED-01-abcdefgh" http://x.example/\n${output}`)
  await page.goto(`/p/${slug}/upload`)
  await page.waitForLoadState('networkidle')
  await dropFile(page, file)

  const choice = page.getByRole('region', { name: 'Secrets' })
  await expect(choice).toContainText('masked before anything was stored: 1 × Authorization header')
  const secret = page.getByText('PLANTED-01').first()
  await expect(secret).toHaveCount(0)
  await expectAccessible(page)
  // The dropped file is sent again.
  await choice.getByRole('button', { name: 'Keep these secrets' }).click()
  await expect(secret).toBeVisible()
  await expect(choice).toContainText('Secrets in this file are stored')

  // A reloaded tab requires the file again.
  await page.reload({ waitUntil: 'networkidle' })
  await page.getByLabel('Choose the same file again').setInputFiles(file)
  await expect(choice.getByRole('button', { name: 'Keep these secrets' })).toBeVisible()
  await expect(secret).toHaveCount(0)
})
