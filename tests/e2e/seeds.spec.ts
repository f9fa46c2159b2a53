import type { Page } from '@playwright/test'
import { documentFile, dropFile } from './drop'
import { expect, expectAccessible, makeProject, test } from './page'

const documents = [
  {
    document: 'lambda-dispatcher-vs-direct',
    runs: 7,
    cells: ['2 741', '5 553'],
    rows: ['GET: Text/Plain Ping', 'GET: Image/Jpeg', 'POST: Image/Jpeg Echo', 'POST: 9 MB Binary Echo'],
    columns: ['Lambda Dispatcher', 'Direct Lambda'],
    says: ['not possible: 6 MB limit'],
  },
  {
    document: 'cascade-load-test',
    runs: 4,
    cells: ['400'],
    rows: ['Cascade load test check'],
    columns: [
      'Non cascade',
      'Cascade with Origin Simulator latency 100ms',
      'Cascade with Origin Simulator latency 500ms',
      'Cascade with Origin Simulator latency 1000ms',
    ],
    says: [],
  },
  {
    document: 'protobuf-vs-json',
    runs: 8,
    cells: [],
    rows: ['Small message', 'Large message'],
    columns: ['get_protobuf_data', 'send_protobuf_data', 'get_json_data', 'send_json_data'],
    says: [],
  },
  {
    document: 'smithy-wrk',
    runs: 2,
    cells: ['1 608 743', '1 379 942'],
    rows: ['Smithy Rust Server SDK benchmarks'],
    columns: ['c6i.8xlarge', 'c6g.8xlarge'],
    says: [],
  },
  {
    document: 'zlib-gzip',
    runs: 4,
    cells: ['350'],
    rows: ['Load Test Results: :zlib performance (4 Feb merge)'],
    columns: [
      '250kb payload',
      '300kb payload',
      'gzipped 300kb payload - :zlib bypassed',
      'gzipped 350kb payload - :zlib bypassed',
    ],
    says: [],
  },
] as const

/** The matrix that the page shows has what the document says. */
async function expectMatrix(page: Page, { cells, rows, columns, says }: (typeof documents)[number]): Promise<void> {
  for (const name of rows) await expect(page.getByRole('rowheader', { name, exact: false }).first()).toBeVisible()
  for (const name of columns) await expect(page.getByRole('columnheader', { name, exact: false }).first()).toBeVisible()
  // Thousands are separated by thin spaces.
  const text = (await page.getByRole('table').first().innerText()).replace(/\u202f/g, ' ')
  for (const cell of [...cells, ...says]) expect(text).toContain(cell)
}

test('documents: dropped, previewed, saved, a matrix', async ({ page }) => {
  test.setTimeout(180_000)
  const slug = await makeProject(page, 'seeds')
  for (const seed of documents) {
    await test.step(seed.document, async () => {
      await page.goto(`/p/${slug}/upload`)
      await dropFile(page, documentFile(seed.document))
      await expect(page.getByRole('button', { name: `Save ${seed.runs} runs` })).toBeVisible()
      await expect(page.getByRole('checkbox', { name: /^Save run \d+$/ })).toHaveCount(seed.runs)
      await expectAccessible(page)
      await page.getByRole('button', { name: `Save ${seed.runs} runs` }).click()
      await page.waitForURL(/\/matrix\?/)
      await expectMatrix(page, seed)
    })
  }
})
