import type { CompareView } from './compare-view-state'

/** What else the address holds, so that a form that changes one part of the view keeps the others. */
export function KeptFields({ view, without }: { readonly view: CompareView; readonly without: readonly string[] }) {
  const kept = [...new URLSearchParams(view.query)].filter(([key]) => !without.some((part) => key.startsWith(part)))
  return kept.map(([key, value]) => <input key={key} type="hidden" name={key} value={value} />)
}
