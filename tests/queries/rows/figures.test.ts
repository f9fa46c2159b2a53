import { expect, it } from 'vitest'
import { localViewer } from '@/lib/viewer'
import { databasePool } from '@/prisma/db'
import { getRun, listRepeats, listRuns } from '@/prisma/queries/runs/runs'
import { getSeriesHistories } from '@/prisma/queries/series/series'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { columnOf, figureColumns } from '@/prisma/rows/figure-columns'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

/** Numbers that text could damage: many digits, exponents, whole ones, zero. */
const awkward = [1 / 3, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, 1e21, 123_456_789_012, 0]

describeOnOneEngine('figures', () => {
  it('are as stored, each in its place, however they are read', async () => {
    const { id: projectId } = await sampleProject()
    const { runs } = await saveImport(localViewer, sampleImport(projectId, sampleFile([sampleRun(), sampleRun()])))
    const names = Object.keys(figureColumns)
    const stored = names.map((_, at) => (at % 5 === 4 ? null : (awkward[at] ?? at + 0.25)))
    const [run] = runs
    if (run === undefined) throw new Error('nothing was saved')
    const columns = names.map((name, at) => `${columnOf(name)} = $${at + 2}`)
    await databasePool().query(`UPDATE run SET ${columns.join(', ')} WHERE id = $1`, [run.id, ...stored])
    const expected = Object.fromEntries(names.map((name, at) => [name, stored[at]]))

    expect((await getRun(await toRead(projectId), run.id)).figures).toEqual(expected)
    const page = { sort: 'time', direction: 'desc', limit: 50 } as const
    const { rows } = await listRuns(await toRead(projectId), {}, page)
    expect(rows.find((row) => row.id === run.id)?.figures).toEqual(expected)
    const [history] = await getSeriesHistories(await toRead(projectId), [run.seriesId])
    expect(history?.points.find((point) => point.runId === run.id)?.figures).toEqual(expected)
    const repeats = await listRepeats(await toRead(projectId), [run.id])
    expect(repeats.get(run.id)?.[0]?.figures).toEqual(expected)
  })
})
