import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'

/** Drops a file onto the window, as a person does with the mouse. */
export async function dropFile(page: Page, file: string): Promise<void> {
  const bytes = readFileSync(file).toString('base64')
  const transfer = await page.evaluateHandle(
    ([base64, name]) => {
      const data = Uint8Array.from(atob(base64 ?? ''), (char) => char.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([data], name ?? 'file', { type: 'text/markdown' }))
      return dataTransfer
    },
    [bytes, path.basename(file)],
  )
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

/** A fixture document. */
export const documentFile = (name: string): string => path.join('tests/fixtures/documents', `${name}.md`)
