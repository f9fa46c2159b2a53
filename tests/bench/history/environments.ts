/**
 * `npm run bench:environments -- [series]`: evaluates a project of that many series (200) night by night, once with
 * series that name one of five environments and once with the same series that name none, in turn, on one embedded
 * database, and prints the ratio of both: for nights on which nothing happens, and for those after a machine became
 * slower. The nights before are evaluated at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { evaluateDue } from '@/app/_server/alerts/evaluate-series'
import { localViewer } from '@/lib/viewer'
import { closeDatabase, openDatabase } from '@/prisma/db'
import { saveImport } from '@/prisma/queries/uploads/uploads'
import { sampleFile, sampleImport, sampleLatency, sampleProject, sampleRun } from '../../queries/samples'
import { normal } from '../../server/planted-history'

const count = Number(process.argv[2] ?? 200)
const [quietNights, measuredNights, movedNights, environments] = [24, 4, 6, 5] as const
const print = (line: string) => process.stdout.write(`${line}\n`)

/** One night of all series; the first environment is slower by `factor`. */
async function saveNight(projectId: string, night: number, isNamed: boolean, factor: number): Promise<void> {
  const draws = normal(night + 1)
  const runs = Array.from({ length: count }, (_, at) => {
    const machine = at % environments
    const level = (10 + at) * (machine === 0 ? factor : 1) * Math.exp(0.03 * draws.next().value)
    const quantiles = [
      { q: 0.5, ms: level },
      { q: 0.99, ms: 2.5 * level * Math.exp(0.03 * draws.next().value) },
    ]
    return sampleRun({
      startedAt: new Date(Date.UTC(2026, 6, 1, 0, at) + night * 86_400_000).toISOString(),
      latencies: [sampleLatency({ meanMs: null, quantiles })],
      proposal: {
        scenario: `service ${at}`,
        environment: isNamed ? `machine-${machine}` : null,
        labels: { commit: `c${night}-${at}` },
      },
    })
  })
  await saveImport(localViewer, sampleImport(projectId, sampleFile(runs)))
}

/** Milliseconds of CPU that the evaluation of a night takes. */
async function evaluate(): Promise<number> {
  const before = process.cpuUsage()
  await evaluateDue()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'tailboard-environments-'))
await openDatabase({ dataFolder })
try {
  const [named, unnamed] = [await sampleProject(), await sampleProject()]
  const totals = { quiet: [0, 0], moved: [0, 0] }
  for (let night = 0; night < quietNights + measuredNights + movedNights; night += 1) {
    const hasMoved = night >= quietNights + measuredNights
    // In turn, so that a warmer process favours neither.
    const order = night % 2 === 0 ? [0, 1] : [1, 0]
    for (const which of order) {
      const project = which === 0 ? named : unnamed
      await saveNight(project.id, night, which === 0, hasMoved ? 1.5 : 1)
      if (night < quietNights - 1) continue
      const ms = await evaluate()
      if (night < quietNights) continue
      print(`night ${night}, ${which === 0 ? 'with' : 'without'}: ${Math.round(ms)} ms`)
      const total = hasMoved ? totals.moved : totals.quiet
      total[which] = (total[which] ?? 0) + ms
    }
  }
  for (const [name, [withName = 0, without = 0]] of Object.entries(totals)) {
    const nights = name === 'quiet' ? measuredNights : movedNights
    const each = (ms: number) => (ms / nights / count).toFixed(2)
    print(
      `${name}: ${each(withName)} ms a series with environments, ${each(without)} without: × ${(withName / without).toFixed(2)}`,
    )
  }
} finally {
  await closeDatabase()
  rmSync(dataFolder, { recursive: true, force: true })
}
