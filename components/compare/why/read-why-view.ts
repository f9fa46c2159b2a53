import type { WhyView } from '@/lib/judge/compare-url'

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads the view of an address; what is not understood is the default. */
export function readWhyView({ side, at }: Given): WhyView {
  const number = Number(side)
  const known = typeof at === 'string' && /^p\d{1,2}(?:\.\d{1,3})?$/.test(at) ? at : null
  return { side: Number.isInteger(number) && number >= 1 && number <= 100 ? number : 1, at: known }
}
