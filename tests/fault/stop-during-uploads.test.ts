import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makeDataFolder } from '../shared-databases'
import { startApp, type RunningApp } from '../server/app'

const document = await readFile('tests/fixtures/documents/smithy-wrk.md', 'utf8')
const savedSchema = z.object({ upload: z.object({ id: z.string() }) })

interface Answer {
  readonly status: number
  readonly text: string
}

const api = (app: RunningApp) => `${app.url}/api/v1/projects/stopped`

/** An upload whose first part is sent; null: the connection was refused, or broke. */
function beginUpload(app: RunningApp, index: number) {
  const id = randomUUID()
  const headers = { accept: 'application/json', 'upload-progress': id }
  // On a connection of its own: one that is kept alive stays open for as long as it is used.
  const sent = request(`${api(app)}/uploads`, { method: 'PUT', headers, agent: false })
  const answer = new Promise<Answer | null>((resolve) => {
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      response.on('error', () => resolve(null))
    })
    sent.on('error', () => resolve(null))
  })
  sent.write(document)
  return { id, answer, finish: () => void sent.end(`\n<!-- ${index} -->\n`) }
}

/**
 * Uploads until no connection is accepted any more, shortly after the signal. Before, it is one upload too many, or
 * stored.
 */
async function uploadUntilRefused(app: RunningApp): Promise<void> {
  for (let index = 100; ; index += 1) {
    const { answer, finish } = beginUpload(app, index)
    finish()
    const said = await answer
    if (said === null) return
    expect([201, 503], said.text).toContain(said.status)
    await sleep(50)
  }
}

it('SIGTERM during twenty uploads: they finish, later ones are refused', { timeout: 180_000 }, async () => {
  const dataFolder = await makeDataFolder()
  const app = await startApp({ dataFolder })
  const body = JSON.stringify({ name: 'Stopped', slug: 'stopped' })
  await fetch(`${app.url}/api/v1/projects`, { method: 'POST', body })
  const underWay = Array.from({ length: 20 }, (_, index) => beginUpload(app, index))
  const isKnown = async ({ id }: { readonly id: string }) => (await fetch(`${api(app)}/uploads/progress/${id}`)).ok
  await expect.poll(() => Promise.all(underWay.map(isKnown)), { timeout: 60_000 }).not.toContain(false)
  const startedAt = performance.now()
  const stopped = app.stop()
  await uploadUntilRefused(app)
  for (const { finish } of underWay) finish()
  const answers = await Promise.all(underWay.map(({ answer }) => answer))
  expect(await stopped).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(31_000)
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 201))

  const again = await startApp({ dataFolder })
  try {
    for (const answer of answers) {
      const { upload } = savedSchema.parse(JSON.parse(answer?.text ?? ''))
      const list = await fetch(`${api(again)}/runs?upload=${upload.id}`)
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
