import pg from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import type { RunFilter } from '@/lib/history/run-list'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { listRuns } from '@/prisma/queries/runs/runs'
import { foldTermCounts } from '@/prisma/queries/installation/sweeps'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

describeOnOneEngine('words in a long history', () => {
  let projectId = ''

  beforeAll(async () => {
    projectId = (await sampleProject()).id
    const saved = await saveImport(
      localViewer,
      sampleImport(projectId, sampleFile([sampleRun({ proposal: { scenario: 'GET /' } })])),
    )
    const { rows } = await databasePool().query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'run'`,
    )
    // 3,000 runs from 1968 to 2033, at uneven times: 2 % have one word, 4 % the other, some both.
    const value: Readonly<Record<string, string>> = {
      id: `lpad(to_hex(n * 7919 % 100000), 26, '0')`,
      index_in_upload: 'n',
      ordered_at: `timestamptz '1968-01-01' + (n * 8 + n % 5) * interval '1 day' - (n % 7) * interval '3.3 hours'`,
      search_text: `'get ' || CASE WHEN n % 50 = 0 THEN 'nightly ' ELSE '' END || CASE WHEN n % 25 < 2 THEN 'arm64-' || n % 2 ELSE '' END`,
    }
    const columns = rows.map((row) => row.name)
    await databasePool().query(
      `INSERT INTO run (${columns.join()}) SELECT ${columns.map((name) => value[name] ?? name).join()}
       FROM (SELECT * FROM run WHERE id = $1) AS one, generate_series(1, 3000) AS n`,
      [saved.runs[0]?.id],
    )
    await foldTermCounts()
  })

  const walk = async (filter: RunFilter, direction: 'asc' | 'desc') => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await listRuns(await toRead(projectId), filter, { sort: 'time', direction, limit: 5, cursor })
      ids.push(...page.rows.map((row) => row.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return ids
  }

  const look = async (condition: string, direction: 'asc' | 'desc') => {
    const { rows } = await databasePool().query<{ id: string }>(
      `SELECT id FROM run WHERE project_id = $1 AND ${condition} ORDER BY ordered_at ${direction}, id ${direction}`,
      [projectId],
    )
    return rows.map((row) => row.id)
  }

  for (const direction of ['asc', 'desc'] as const) {
    it(`are found span by span, ${direction}, and nothing is left out or repeated`, async () => {
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      const nightly = await look(`search_text LIKE '%nightly%'`, direction)
      expect(nightly).toHaveLength(60)
      expect(await walk({ text: 'nightly' }, direction)).toEqual(nightly)
      expect(asked.mock.calls.some((call) => JSON.stringify(call[0]).includes('AS oldest'))).toBe(true)
      asked.mockRestore()
      expect(await walk({ text: 'arm' }, direction)).toEqual(await look(`search_text LIKE '%arm%'`, direction))
      const both = await look(`search_text LIKE '%nightly%arm64%'`, direction)
      expect(await walk({ text: 'arm64 nightly' }, direction)).toEqual(both)
      const [from, to] = ['1969-05-05T00:00:00.000Z', '2001-01-01T00:00:00.000Z']
      const some = await look(
        `search_text LIKE '%nightly%' AND ordered_at >= '${from}' AND ordered_at < '${to}'`,
        direction,
      )
      expect(some.length).toBeGreaterThan(20)
      expect(await walk({ text: 'nightly', from, to }, direction)).toEqual(some)
      expect(await walk({ text: 'nightly', from: '2040-01-01T00:00:00.000Z' }, direction)).toEqual([])
    })
  }
})
