const stepsMs = [
  1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 14_400_000, 43_200_000, 86_400_000,
] as const
const maxTicks = 8

/** Round times within `spanMs` from `fromMs` on, at most 8; one unit for all. */
export function timeTicks(spanMs: number, fromMs = 0): readonly { readonly ms: number; readonly label: string }[] {
  const days = Math.ceil(spanMs / 86_400_000 / maxTicks) * 86_400_000
  const stepMs = stepsMs.find((step) => spanMs / step < maxTicks) ?? days
  const [unitMs, name] = unitOf(stepMs)
  const [first, last] = [Math.ceil(fromMs / stepMs), Math.floor((fromMs + spanMs) / stepMs)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    ms: (first + index) * stepMs,
    label: `${((first + index) * stepMs) / unitMs}\u00a0${name}`,
  }))
}

function unitOf(stepMs: number): readonly [number, string] {
  if (stepMs % 86_400_000 === 0) return [86_400_000, 'd']
  if (stepMs % 3_600_000 === 0) return [3_600_000, 'h']
  return stepMs % 60_000 === 0 ? [60_000, 'min'] : [1_000, 's']
}
