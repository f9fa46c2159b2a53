import { importFile } from '@/importers'
import type { RowBox } from '@/lib/cube/row-box'
import { explainBox, type BoxAnswer } from '@/lib/explain/explain-box'
import { scatterOf } from '@/lib/explain/scatter'
import type { ImportedRun, RunBeside } from '@/lib/run/run'
import { chunksOf } from '../cube/cube-of-text'
import { randomOf, writeRows, type GeneratedPair, type GeneratedRow, type PairTool } from './generated-pairs'

const targets = ['GET /search', 'GET /cart', 'POST /orders', 'GET /checkout'] as const

/** Where slow requests are planted: those of one target, and those on a new connection. */
export const planted = { fromMs: 12_000, toMs: 15_000, aboveMs: 100, belowMs: 400 } as const satisfies RowBox

/** A run of 30 s whose requests differ by nothing; `slow`: some of 12–15 s took 100–400 ms. */
export function homogeneousRows(seed: number, slow: 'target' | 'connection' | null, perSecond = 100): GeneratedRow[] {
  const random = randomOf(seed)
  return Array.from({ length: 30 * perSecond }, (_, at): GeneratedRow => {
    const startS = at / perSecond
    const target = targets[Math.floor(random() * targets.length)] ?? targets[0]
    const isNew = random() < 0.1
    const isMeant = slow === 'target' ? target === 'GET /search' : slow === 'connection' && isNew
    const isSlow = isMeant && startS >= 12 && startS < 15
    const ms = isSlow ? 120 + 200 * random() : 10 + 30 * random()
    return { startS, ms, target, status: 200, isNew, isHit: random() < 0.5, isCold: false, dbMs: 0, appMs: 0 }
  })
}

/** The rows as a tool writes them. */
export function boxedText(rows: readonly GeneratedRow[], tool: PairTool = 'vegeta'): string {
  const says = { cache: true, cold: false, timing: false }
  const pair: GeneratedPair = { tool, base: rows, head: rows, users: [10, 10], says, label: { kind: 'nothing', tool } }
  return writeRows(pair, rows, 0)
}

export interface BoxedRun {
  readonly run: ImportedRun
  readonly beside: RunBeside
  readonly answer: BoxAnswer
}

/** A file's only run, its rows in a box, and what they differ by from the others. */
export async function readBoxed(text: string, box: RowBox): Promise<BoxedRun> {
  const read = async (originS: number) => {
    const { runs, beside } = await importFile(chunksOf(Buffer.from(text)), null, { box: { of: box, originS } })
    const [run, own] = [runs[0], beside?.[0]]
    if (run === undefined || own?.box === undefined || own.cube === undefined) throw new Error('the file has no rows')
    return { run, beside: own, originS: own.box.originS, boxed: own.box, scatter: scatterOf(own.cube) }
  }
  const { run, beside, boxed, scatter } = await read((await read(0)).originS)
  return { run, beside, answer: explainBox(boxed, box, scatter) }
}
