import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { shareServer, type SharedServer } from '../shared-servers'

const shareFiles = ['', '/chart.svg', '/comparison.html', '/table.md', '/data.csv', '/data.json']
const savedSchema = z.object({ upload: z.object({ id: z.string() }), runs: z.array(z.object({ id: z.string() })) })

let app: SharedServer
let planted: readonly string[]
let document: string
let output: string

const api = () => `${app.url}/api/v1/projects`
const headers = { accept: 'application/json' }
const post = (target: string, body: unknown) =>
  fetch(`${api()}${target}`, { method: 'POST', body: JSON.stringify(body) })
const put = (project: string, body: string, query = '') =>
  fetch(`${api()}/${project}/uploads${query}`, { method: 'PUT', body, headers })
const secretsIn = (text: string) => planted.filter((secret) => text.includes(secret))

/** The text of a page of the server, which must exist. */
async function read(target: string): Promise<string> {
  const answer = await fetch(new URL(target, app.url))
  expect(answer.status, target).toBe(200)
  return answer.text()
}

/** Everything that outsiders get from shares of these runs, ten runs per share, raw output included. */
async function sharedTexts(project: string, runs: readonly { readonly id: string }[]): Promise<string> {
  const texts: string[] = []
  for (let from = 0; from < runs.length; from += 10) {
    const sides = runs.slice(from, from + 10).map(({ id }) => [id])
    const made = await post(`/${project}/shares`, { name: 'All', kind: 'comparison', sides, includeRaw: true })
    const { url } = z.object({ url: z.string() }).parse(await made.json())
    for (const file of shareFiles) texts.push(await read(new URL(url).pathname + file))
  }
  return texts.join('\n')
}

beforeAll(async () => {
  app = await shareServer('plain')
  const json: unknown = JSON.parse(await readFile('tests/fixtures/secrets/planted.json', 'utf8'))
  const pairs = z.array(z.tuple([z.string(), z.string()])).parse(json)
  planted = pairs.map(([, secret]) => secret)
  output = await readFile('tests/fixtures/hey-text/four-status-codes.txt', 'utf8')
  document = pairs.map(([line]) => `# GET /p\n\n${line}\n\n\`\`\`\n$ ${line}\n${output}\n\`\`\`\n`).join('\n')
  for (const slug of ['masked', 'kept']) expect((await post('', { name: slug, slug })).status).toBe(201)
})

it('masked on import are on no page, in no share, no export and no file of the server', async () => {
  expect(planted.length).toBeGreaterThanOrEqual(30)
  const { upload, runs } = savedSchema.parse(await (await put('masked', document)).json())
  expect(runs).toHaveLength(planted.length)
  const shared = await sharedTexts('masked', runs)
  expect(shared).toContain('[masked]')
  expect(secretsIn(shared)).toEqual([])

  const draft = await put('masked', document, '?draft=1')
  const { url } = z.object({ url: z.string() }).parse(await draft.json())
  const preview = await read(url)
  expect(preview).toContain('masked before anything was stored')
  const refs = runs.slice(0, 10).map(({ id }) => id)
  const own = [`/p/masked/runs`, `/p/masked/runs/${refs[0] ?? ''}`, `/p/masked/upload/${upload.id}`]
  const files = ['comparison.md', 'comparison.html', 'data.json'].map(
    (file) => `/api/v1/projects/masked/compare/${refs.join('...')}/${file}`,
  )
  const texts = await Promise.all([...own, ...files].map(read))
  expect(secretsIn([preview, ...texts].join('\n'))).toEqual([])
})

it('kept by choice are hidden from outsiders', async () => {
  const { runs } = savedSchema.parse(await (await put('kept', document, '?keepSecrets=1')).json())
  const pages = await Promise.all(runs.map(({ id }) => read(`/p/kept/runs/${id}`)))
  expect(secretsIn(pages.join('\n')).length).toBeGreaterThan(20)
  expect(secretsIn(await sharedTexts('kept', runs))).toEqual([])
  const [run] = runs
  const made = await post('/kept/shares', { name: 'One', kind: 'run', sides: [[run?.id]], includeRaw: true })
  const { url } = z.object({ url: z.string() }).parse(await made.json())
  expect(secretsIn(await read(new URL(url).pathname))).toEqual([])
})

it("are not in the server's output, whatever goes wrong", async () => {
  const query = planted.map((secret) => `token=${encodeURIComponent(secret)}`).join('&')
  expect((await put('masked', document, `?${query}`)).status).toBe(400)
  expect((await put('masked', planted.join('\n'))).status).toBe(422)
  expect((await fetch(`${api()}/masked/shares`, { method: 'POST', body: `{"a": "${planted.join()}"` })).status).toBe(
    400,
  )
  expect((await fetch(`${app.url}/s/${planted[0] ?? ''}?${query}`)).status).toBe(404)
  // A folder is in place of its file: an unexpected error, logged with its stack.
  const text = `$ hey -H "Authorization: Bearer ${planted[0] ?? ''}" http://x.example/\n${output}\nlost among secrets\n`
  const { upload } = savedSchema.parse(await (await put('masked', text)).json())
  for (const entry of await readdir(path.join(app.dataFolder, 'raw'), { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(file, 'latin1')).includes('\nlost among secrets\n')) {
      await rm(file)
      await mkdir(file)
    }
  }
  expect((await fetch(`${api()}/masked/uploads/${upload.id}/raw`)).status).toBe(500)
  await expect.poll(() => app.output()).toContain('EISDIR')
  expect(secretsIn(await app.output())).toEqual([])
})
