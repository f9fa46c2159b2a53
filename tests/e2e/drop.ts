import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'

/** Drops files onto the window together, like a person with a mouse. */
export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  const dropped = files.map((file) => [path.basename(file), readFileSync(file).toString('base64')] as const)
  const transfer = await page.evaluateHandle((all) => {
    const dataTransfer = new DataTransfer()
    for (const [name, base64] of all) {
      const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      dataTransfer.items.add(new File([data], name, { type: 'text/markdown' }))
    }
    return dataTransfer
  }, dropped)
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

export const dropFile = (page: Page, file: string): Promise<void> => dropFiles(page, [file])

/** A fixture document. */
export const documentFile = (name: string): string => path.join('tests/fixtures/documents', `${name}.md`)
