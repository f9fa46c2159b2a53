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

for (const { document, runs, cells, rows, columns, says } of documents) {
  test(`${document}: dropped, previewed, saved, a matrix`, async ({ page }) => {
    const slug = await makeProject(page, `seed-${document}`)
    await page.goto(`/p/${slug}/upload`)
    await dropFile(page, documentFile(document))
    await expect(page.getByRole('button', { name: `Save ${runs} runs` })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /^Save run \d+$/ })).toHaveCount(runs)
    await expectAccessible(page)
    await page.getByRole('button', { name: `Save ${runs} runs` }).click()
    await page.waitForURL(/\/matrix\?/)
    for (const name of rows) await expect(page.getByRole('rowheader', { name, exact: false }).first()).toBeVisible()
    for (const name of columns)
      await expect(page.getByRole('columnheader', { name, exact: false }).first()).toBeVisible()
    const table = page.getByRole('table').first()
    // Thousands are separated by thin spaces.
    const text = (await table.innerText()).replace(/\u202f/g, ' ')
    for (const cell of [...cells, ...says]) expect(text).toContain(cell)
    await expectAccessible(page)
  })
}
