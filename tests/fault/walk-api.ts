import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { fillAddress, listAddresses } from '../hostile/addresses'
import type { Answered } from '../server/access/described-answers'

const asked = listAddresses().filter(
  (address) =>
    address.startsWith('/api/') &&
    /\bGET\b/.test(readFileSync(`app${address}/route.ts`, 'utf8')) &&
    !address.includes('/oidc'),
)
const listSchema = z.record(z.string(), z.unknown())
const idsSchema = z.array(z.looseObject({ id: z.string() }))
const pageSchema = z.looseObject({
  rows: z.array(z.looseObject({ id: z.string(), seriesId: z.string().nullable().optional() })),
  nextCursor: z.string().nullable(),
})
const files: Readonly<Record<string, readonly string[]>> = {
  runs: ['percentiles.csv', 'timeline.csv', 'targets.csv', 'latency-ms.hgrm'],
  compare: ['comparison.md', 'data.csv', 'data.json', 'table.md'],
  matrix: ['matrix.md', 'data.csv', 'data.json'],
}
const atOnce = 4

/**
 * Requests everything from every GET address of the API: with each id of each list, page by page.
 * `isWanted`: only of projects with these names. `seen`: gets each answer. Of each address: status, type and SHA-256 of
 * the body, in which the server's own origin is `http://here`.
 */
export async function walkApi(
  app: { readonly url: string },
  isWanted: (slug: string) => boolean = () => true,
  seen: (answered: Answered) => void = () => undefined,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  const ask = async (address: string): Promise<string> => {
    const response = await fetch(`${app.url}${address}`, { redirect: 'manual' })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('latin1').replaceAll(app.url, 'http://here')
    const digest = createHash('sha256').update(text, 'latin1').digest('hex')
    // A problem contains the id of its request.
    const said = response.status >= 400 ? text.replace(/,?"requestId":"[^"]*"/, '') : digest
    const { status } = response
    seen({ method: 'GET', address, status, type: response.headers.get('content-type'), text: bytes.toString('utf8') })
    answers.set(address, `${status} ${response.headers.get('content-type') ?? ''} ${said}`)
    return bytes.toString('utf8')
  }
  /** The ids in a list. */
  const idsOf = async (address: string): Promise<readonly string[]> => {
    const said: unknown = JSON.parse(await ask(address))
    const lists = Array.isArray(said) ? [said] : Object.values(listSchema.parse(said))
    return lists.flatMap((list) => idsSchema.safeParse(list).data?.map(({ id }) => id) ?? [])
  }
  const pagesOf = async (address: string) => {
    const rows: z.infer<typeof pageSchema>['rows'] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: z.infer<typeof pageSchema> = pageSchema.parse(JSON.parse(await ask(`${address}?limit=100${next}`)))
      rows.push(...page.rows)
      cursor = page.nextCursor
    }
    return rows
  }
  const projectsSchema = z.object({ projects: z.array(z.looseObject({ slug: z.string() })) })
  const { projects } = projectsSchema.parse(JSON.parse(await ask('/api/v1/projects')))
  for (const { slug } of projects.filter(({ slug: own }) => isWanted(own))) {
    const own = `/api/v1/projects/${slug}`
    const runs = await pagesOf(`${own}/runs`)
    const runIds = runs.map(({ id }) => id)
    const uploads = [...new Set(runs.flatMap(({ uploadId }) => (typeof uploadId === 'string' ? [uploadId] : [])))]
    const values: Readonly<Record<string, readonly string[]>> = {
      project: [slug],
      run: runIds,
      upload: uploads,
      series: [...new Set(runs.flatMap(({ seriesId }) => (typeof seriesId === 'string' ? [seriesId] : [])))],
      refs: runIds.slice(1).flatMap((id, at) => (at % 10 === 0 ? [`${runIds[at] ?? ''}...${id}`] : [])),
      alert: await idsOf(`${own}/alerts`),
      rule: await idsOf(`${own}/rules`),
      comparison: await idsOf(`${own}/comparisons`),
      mapping: await idsOf(`${own}/mappings`),
      channel: await idsOf(`${own}/channels`),
      token: [],
      id: [],
    }
    const all = asked.flatMap((address) => {
      // The first waits for the judgement, and is then the same as the runs; the second is of this server's history.
      if (address.endsWith('/gate') || address.endsWith('/changes')) return []
      const names = [...address.matchAll(/\[([a-z]+)\]/g)].map(([, name]) => name ?? '')
      const kind = /\/(runs|compare|matrix)\//.exec(address)?.[1] ?? ''
      let filled: readonly (readonly [name: string, value: string])[][] = [[]]
      for (const name of names)
        filled = filled.flatMap((before) =>
          (name === 'file' ? (files[kind] ?? []) : (values[name] ?? [])).map((value) => [
            ...before,
            [name, value] as const,
          ]),
        )
      return filled.map((pairs) => fillAddress(address, (name) => new Map(pairs).get(name) ?? ''))
    })
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let address = all.pop(); address !== undefined; address = all.pop()) await ask(address)
      }),
    )
  }
  return answers
}
