import type { GateVerdict } from '@/lib/rules/gate'
import type { Viewer } from '@/lib/viewer'
import { judgeUpload, type WantedVerdict } from './judge-upload'

/** A judgement under way, or done after its request was answered: kept until somebody asks for it. */
interface Judgement {
  readonly verdict: Promise<GateVerdict>
  readonly startedAtMs: number
}

const keptMs = 10 * 60_000

/** Kept on globalThis: the routes of an upload and of its gate are separate bundles in one process. */
const key = Symbol.for('tailboard.judgements')

function judgements(): Map<string, Judgement> {
  const holder = globalThis as { [key]?: Map<string, Judgement> }
  return (holder[key] ??= new Map())
}

/**
 * Judges an upload's runs for a build, for `limitMs` at most (0: not at all): null when that is not enough. Then the judging goes on, and
 * whoever asks again (with the same `wait`) gets its outcome as soon as it is there. Throws what judging throws.
 */
export async function judgeInTime(viewer: Viewer, wanted: WantedVerdict, limitMs: number): Promise<GateVerdict | null> {
  const { projectId, uploadId, wait } = wanted
  const all = judgements()
  const now = Date.now()
  for (const [id, { startedAtMs }] of all) if (startedAtMs < now - keptMs) all.delete(id)

  const id = `${projectId} ${uploadId} ${wait}`
  const own = all.get(id) ?? { verdict: judgeUpload(viewer, wanted), startedAtMs: now }
  all.set(id, own)
  let timer: NodeJS.Timeout | undefined
  const tooLate =
    limitMs === 0 ? Promise.resolve(null) : new Promise<null>((resolve) => (timer = setTimeout(resolve, limitMs, null)))
  try {
    const verdict = await Promise.race([own.verdict, tooLate])
    if (verdict !== null) forget(id, own)
    return verdict
  } catch (error) {
    forget(id, own)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A verdict that was told is made anew for whoever asks later: more runs may have come. */
function forget(id: string, own: Judgement): void {
  if (judgements().get(id) === own) judgements().delete(id)
}
