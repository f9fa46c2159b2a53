import { commitWords, formatMoment } from '../../lib/format'
import { judgedStates } from '../../lib/run/judged-states'
import type { JudgedRow } from '../../lib/run/judgement'
import { runName } from '../runs/run-name'
import { memberOf, textOf } from '../ui/actions/call-api'
import { isWithinReach } from './within-reach'

/** The groups of the palette, in their order: what the page can do comes first. */
const groups = ['On this page', 'Go to', 'Runs', 'Comparisons', 'Actions', 'Projects'] as const

/** An item in the palette. */
export interface PaletteItem {
  /** Unique in the palette. */
  readonly id: string
  readonly group: (typeof groups)[number]
  readonly name: string
  /** Shown beside the name; null: nothing. */
  readonly detail: string | null
  /** The state of a run; null: not judged yet. Absent: it is no run. */
  readonly judged?: JudgedRow | null
  readonly does:
    { readonly kind: 'open'; readonly href: string } | { readonly kind: 'run'; readonly action: () => void }
}

export interface PalettePage {
  readonly href: string
  readonly name: string
}

/** The answer of a project's search (`{runs, comparisons}`) as items; leaves out what has another form. */
export function foundItems(slug: string, answer: unknown): readonly PaletteItem[] {
  const runs = listOf(answer, 'runs').flatMap((run): PaletteItem[] => {
    const [id, scenario, at] = [textOf(run, 'id'), textOf(run, 'scenario'), textOf(run, 'orderedAt')]
    if (id === null || scenario === null || at === null) return []
    const commit = textOf(memberOf(run, 'labels'), 'commit')
    const facts = [textOf(run, 'environment'), commit === null ? null : commitWords(commit), formatMoment(at)]
    const name = runName({ scenario, variant: textOf(run, 'variant') })
    const does = { kind: 'open', href: `/p/${slug}/runs/${id}` } as const
    const detail = facts.filter((fact) => fact !== null).join(' · ')
    return [{ id: `run ${id}`, group: 'Runs', name, detail, judged: judgedOf(memberOf(run, 'judged')), does }]
  })
  const comparisons = listOf(answer, 'comparisons').flatMap((one): PaletteItem[] => {
    const [id, name] = [textOf(one, 'id'), textOf(one, 'name')]
    if (id === null || name === null) return []
    const does = { kind: 'open', href: `/p/${slug}/comparisons/${id}` } as const
    return [{ id: `comparison ${id}`, group: 'Comparisons', name, detail: null, does }]
  })
  return [...runs, ...comparisons]
}

function judgedOf(json: unknown): JudgedRow | null {
  const state = judgedStates.find((one) => one === textOf(json, 'state'))
  return state === undefined ? null : { state, sentence: textOf(json, 'sentence') ?? '' }
}

function listOf(json: unknown, field: string): readonly unknown[] {
  const value = memberOf(json, field)
  return Array.isArray(value) ? value : []
}

/** The pages of the frame as items. */
export function pageItems(pages: readonly PalettePage[], group: 'Go to' | 'Projects'): readonly PaletteItem[] {
  return pages.map(({ href, name }) => {
    return { id: `${group} ${href}`, group, name, detail: null, does: { kind: 'open', href } }
  })
}

/**
 * Items whose name or group contains every word; names that begin with the text come first, else in the given order.
 */
export function matchingItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/u).filter(Boolean)
  const fits = items.filter(({ name, group }) => {
    const said = `${group} ${name}`.toLowerCase()
    return words.every((word) => said.includes(word))
  })
  if (wanted === '') return fits
  const begins = (item: PaletteItem) => Number(item.name.toLowerCase().startsWith(wanted))
  return [...fits].sort((a, b) => begins(b) - begins(a))
}

/** Items by group, each group once, in the order of the groups. */
export function groupItems(
  items: readonly PaletteItem[],
): readonly { readonly group: string; readonly items: readonly PaletteItem[] }[] {
  return groups
    .map((group) => ({ group, items: items.filter((item) => item.group === group) }))
    .filter((one) => one.items.length > 0)
}

/**
 * The commands of the page in front: its visible links and buttons with `data-command`, and those in its menus, by that
 * name. Choosing one clicks it, so that the palette does exactly what the page does.
 */
export function pageCommands(page: Document): readonly PaletteItem[] {
  return [...page.querySelectorAll<HTMLElement>('[data-command]')].filter(isWithinReach).map((element, at) => {
    const name = element.dataset.command ?? ''
    const does = { kind: 'run', action: () => element.click() } as const
    return { id: `command ${at} ${name}`, group: 'On this page', name, detail: null, does }
  })
}
