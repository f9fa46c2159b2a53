import { createReadStream } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { UploadRemarks } from '@/components/upload/draft/upload-remarks'
import { importFile } from '@/importers/index'

it('separates what was corrected on reading from what was not read', async () => {
  const { problems } = await importFile(createReadStream('tests/fixtures/hey-csv/http-errors.csv', { start: 1 }))
  const drawn = renderToStaticMarkup(<UploadRemarks problems={problems} cellNotes={[]} shownLines={new Set()} />)
  expect([...drawn.matchAll(/<summary>([^<]*)/g)].map(([, title]) => title)).toEqual(['1 correction on reading'])
  expect(drawn).toContain('the first character is missing')
})
