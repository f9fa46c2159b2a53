import { sliceCount } from '../cube/cube'
import type { Explanation } from './explain'
import type { Part, PartsAbove } from './parts'

/** An explanation as a JSON document has it. Thresholds in ms, shares 0…1. */
export function whyDocument(explanation: Explanation) {
  const { kind, candidates, aliases, side, parts, z } = explanation
  const [first] = candidates
  const window = first?.window
  return {
    ...{ kind, side },
    attribute: first?.attribute ?? null,
    value: first?.value ?? null,
    share_explained: first?.explained ?? 0,
    share_of_traffic: first?.traffic ?? null,
    z: first?.z ?? Math.max(z.all, z.pooled, z.value),
    ...(window === undefined ? {} : { window: [window.from / sliceCount, window.to / sliceCount] }),
    ...(aliases.length === 0 ? {} : { aliases }),
    parts: partsDocument(parts),
    sum_check: Math.max(0, ...parts.map(({ remainder }) => Math.abs(remainder))),
    others: candidates.slice(1, 4).map((other) => ({
      ...{ kind: other.kind, attribute: other.attribute, value: other.value, share_explained: other.explained },
    })),
  }
}

/** The parts of a difference above each latency as a JSON document has them. */
export const partsDocument = (parts: readonly PartsAbove[]) =>
  parts.map((one) => ({
    ...{ threshold_ms: one.thresholdMs, base_share: one.baseShare, head_share: one.headShare },
    parts: one.parts.map((part) => ({ name: partName(part), value: part.share })),
    remainder: one.remainder,
  }))

const partName = ({ kind, value }: Part): string => (value === null ? kind : `${kind} ${value}`)
