import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importUpload } from '@/app/_server/uploads/import-upload'
import { comparisonMarkdown } from '@/app/s/comparison-markdown'
import { matrixMarkdown } from '@/app/s/matrix-markdown'
import { viewOf } from '@/components/compare/compare-view-state'
import { prepareComparison } from '@/components/compare/prepare-comparison'
import { matrixQueryOf } from '@/components/matrix/matrix-url'
import { prepareMatrix } from '@/components/matrix/prepare-matrix'
import { haveSameFigures } from '@/lib/run/same-run'
import type { StoredRun } from '@/lib/history/stored-runs'
import { getRuns } from '@/prisma/queries/runs/runs'
import { describeOnOneEngine } from '../engines'
import { sampleProject, toEdit, toRead } from '../samples'

const fixtures = path.join(import.meta.dirname, '../../fixtures')
const noClaims = { contentLength: null, sha256: null, isGzip: false }

describeOnOneEngine('a Markdown page', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tailboard-pages-'))
    process.env.TAILBOARD_DATA = folder
  })
  afterAll(async () => {
    delete process.env.TAILBOARD_DATA
    await rm(folder, { recursive: true, force: true })
  })

  async function save(name: string, bytes: Uint8Array): Promise<readonly StoredRun[]> {
    const project = await toEdit((await sampleProject()).id)
    const request = { project, name, labels: {}, again: true, draft: false, keepSecrets: false, gate: false }
    const body = (async function* () {
      yield bytes
    })()
    const outcome = await importUpload(request, body, noClaims)
    if (outcome.kind !== 'saved') throw new Error(outcome.kind)
    return getRuns(
      await toRead(project.id),
      outcome.runs.map((run) => run.id),
    )
  }

  const sources = [
    ['documents/lambda-dispatcher-vs-direct.md', 'text'],
    ['documents/smithy-wrk.md', 'text'],
    ['documents/protobuf-vs-json.md', 'figures'],
    ['vegeta-gob/v8.bin', 'figures'],
    ['hey-text/http2.txt', 'text'],
  ] as const

  it.each(sources)('of the stored runs of %s gives the same runs as %s', async (file, kind) => {
    const runs = (await save(path.basename(file), await readFile(path.join(fixtures, file)))).slice(0, 10)
    const prepared = prepareComparison(
      runs.map((run) => [run]),
      viewOf(''),
      () => null,
    )
    if (!prepared) throw new Error('nothing to compare')
    const page = await comparisonMarkdown(prepared, { name: 'A page', notes: 'Seen *twice*.', takeaways: '' })
    expect(page.includes('{"tailboardRun":1,')).toBe(kind === 'figures')
    const again = await save('page.md', Buffer.from(page))
    expect(again.length).toBe(runs.length)
    for (const [at, run] of runs.entries()) {
      const other = again[at]
      if (!other) throw new Error('the run is gone')
      const { scenario, variant, environment, labels, startedAt, environmentAttributes } = run
      expect(other).toMatchObject({ scenario, variant, environment, startedAt, environmentAttributes })
      expect(other.labels).toEqual(labels)
      expect(other.figures).toEqual(run.figures)
      expect(other.imported.command).toBe(run.imported.command)
      expect(haveSameFigures(other.imported, run.imported)).toBe(true)
    }
  })

  it('of a matrix gives the same runs and the note of its empty cell', async () => {
    const runs = await save('seed.md', await readFile(path.join(fixtures, 'documents/lambda-dispatcher-vs-direct.md')))
    const note = {
      id: 'n',
      uploadId: null,
      line: null,
      scenario: runs[0]?.scenario ?? '',
      variant: 'Third',
      environment: null,
    }
    const notes = [{ ...note, text: 'not possible: too large' }]
    const page = await matrixMarkdown('M', prepareMatrix(runs, matrixQueryOf('metric=p99'), notes), runs)
    const again = await save('matrix.md', Buffer.from(page))
    expect(again.map(({ scenario, variant, figures }) => ({ scenario, variant, figures }))).toEqual(
      runs.map(({ scenario, variant, figures }) => ({ scenario, variant, figures })),
    )
    expect(page).toContain('not possible: too large')
  })
})
