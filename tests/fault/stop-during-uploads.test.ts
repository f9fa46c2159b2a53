import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
const savedSchema = z.object({ upload: z.object({ id: z.string() }) })

/** An upload whose last part is sent `lateMs` after the first; null: the connection was refused, or broke. */
function slowUpload(app: RunningApp, index: number, lateMs: number): Promise<{ status: number; text: string } | null> {
  const url = `${app.url}/api/v1/projects/stopped/uploads?create=1`
  return new Promise((resolve) => {
    const sent = request(url, { method: 'PUT', headers: { accept: 'application/json' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      response.on('error', () => resolve(null))
    })
    sent.on('error', () => resolve(null))
    sent.write(document)
    setTimeout(() => sent.end(`\n<!-- ${index} -->\n`), lateMs)
  })
}

it('SIGTERM during twenty uploads: they finish, later ones are refused', { timeout: 180_000 }, async () => {
  const dataFolder = await makeDataFolder()
  const app = await startApp({ dataFolder })
  const underWay = Array.from({ length: 20 }, (_, index) => slowUpload(app, index, 3_000 + index * 50))
  await sleep(700)
  const startedAt = performance.now()
  const stopped = app.stop()
  await sleep(1_300) // the server waits a second for silent connections
  const late = await slowUpload(app, 99, 0)
  const answers = await Promise.all(underWay)
  expect(await stopped).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(31_000)
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 201))
  expect(late?.status ?? 503, late?.text.slice(0, 300)).toBe(503)

  const again = await startApp({ dataFolder })
  try {
    for (const answer of answers) {
      const { upload } = savedSchema.parse(JSON.parse(answer?.text ?? ''))
      const list = await fetch(`${again.url}/api/v1/projects/stopped/runs?upload=${upload.id}`)
      expect(z.object({ rows: z.array(z.unknown()) }).parse(await list.json()).rows).toHaveLength(2)
    }
  } finally {
    // The reader of its output has gone, as with `npm start | head`.
    again.process.stdout?.destroy()
    again.process.stderr?.destroy()
    const toldAt = performance.now()
    expect(await again.stop()).toBe(0)
    expect(performance.now() - toldAt).toBeLessThan(10_000)
  }
})
