import { groupBy } from '@/lib/group-by'
import { writeSides } from '@/lib/judge/compare-url'
import { stateWords } from '@/lib/run/judged-states'
import { findMetric, minEffectOf } from '@/lib/run/metrics'
import { isRounded } from './rounded'
import { partsOf, plain, type Seen, type SeenLink, type Statements } from './seen'

/** Two sentences that cannot both be true. */
export interface Violation {
  /** 1 to 8. */
  readonly rule: number
  readonly key: string
  readonly says: readonly [string, string]
}

/** The rules by number; each returns its violations. */
export const rules: readonly ((statements: Statements) => readonly Violation[])[] = [
  ({ facts }) => [...oneValue(facts, (kind) => kind !== 'headline' && kind !== 'count', 1), ...roundings(facts)],
  ({ facts }) => [...quotients(facts), ...columns(facts)],
  ({ facts }) => insideIsNotOff(facts),
  ({ facts }) => verdictsOfIntervals(facts),
  ({ facts, links, changes }) => [...countedSides(links), ...oneSet(links), ...shownChanges(facts, changes)],
  ({ facts }) => [...oneValue(facts, (kind) => kind === 'headline', 6), ...headlineFigures(facts)],
  ({ facts }) => oneValue(facts, (kind) => kind === 'count', 7),
  ({ facts }) => [...bounds(facts), ...barredRanges(facts)],
]

/** Violations of any rule, each key once per rule. */
export function violationsOf(statements: Statements): readonly Violation[] {
  const all = rules.flatMap((rule) => rule(statements))
  return [...new Map(all.toReversed().map((one) => [`${one.rule} ${one.key}`, one])).values()].toReversed()
}

/** Max length of the words that a violation quotes. */
const longest = 300

const kindOf = ({ key }: Seen): string => partsOf(key)[0] ?? ''
const say = ({ surface, text, part, value }: Seen): string =>
  `${surface}: ${(text ?? JSON.stringify(value?.[part] ?? value)).slice(0, longest)}`
const numberOf = ({ value }: Seen, part: string): number | null => {
  const one = value?.[part]
  return typeof one === 'number' ? one : null
}
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1e-9, Math.abs(a), Math.abs(b))
/** Lists omit the full stop of a sentence, machine-readable texts the spaces that hold numbers together. */
const wordsOf = (one: number | string | null): number | string | null =>
  typeof one === 'string' ? plain(one).replace(/\.$/, '') : one
const isSame = (a: number | string | null, b: number | string | null): boolean =>
  typeof a === 'number' && typeof b === 'number' ? isNear(a, b) : wordsOf(a) === wordsOf(b)

/** One key, one value. */
function oneValue(facts: readonly Seen[], isOf: (kind: string) => boolean, rule: number): readonly Violation[] {
  const groups = groupBy(
    facts.filter((one) => one.value !== null && isOf(kindOf(one))),
    ({ key }) => key,
  )
  return [...groups].flatMap(([key, all]): Violation[] => {
    const [first, ...others] = all
    if (first === undefined) return []
    const other = others.find(({ value }) =>
      Object.entries(value ?? {}).some(([part, one]) => {
        const own = first.value?.[part]
        return own !== undefined && !isSame(own, one)
      }),
    )
    return other === undefined ? [] : [{ rule, key, says: [valuesOf(first), valuesOf(other)] }]
  })
}

const valuesOf = ({ surface, value }: Seen): string => `${surface}: ${JSON.stringify(value)}`

/** A rounded text is the rounding of the value; a state is its word, a headline its sentence. */
function roundings(facts: readonly Seen[]): readonly Violation[] {
  return facts.flatMap((one): Violation[] => {
    const { part, value, text, key } = one
    if (text === null || value === null) return []
    const own = value[part]
    const isTrue =
      part === 'state'
        ? Object.entries(stateWords).some(
            ([state, words]) => state === own && (words === text || text.startsWith(`${words} since `)),
          )
        : part === 'sentence'
          ? text.includes(plain(String(own)))
          : isRounded(one) !== false
    return isTrue ? [] : [{ rule: 1, key, says: [say(one), JSON.stringify(value)] }]
  })
}

/** Values next to a change give that change. */
function quotients(facts: readonly Seen[]): readonly Violation[] {
  return facts.flatMap((one): Violation[] => {
    const [before, after] = [
      numberOf(one, 'before') ?? numberOf(one, 'base') ?? numberOf(one, 'level'),
      numberOf(one, 'after') ?? numberOf(one, 'value'),
    ]
    const effect = numberOf(one, 'effect')
    if (before === null || after === null || effect === null || before <= 0) return []
    const ratio = after / before - 1
    const isTrue = Math.abs(ratio - effect) <= 1e-3 * (1 + Math.abs(effect))
    return isTrue ? [] : [{ rule: 2, key: one.key, says: [say(one), `its values divide to ${ratio}`] }]
  })
}

const relative: ReadonlySet<string> = new Set(['against', 'change', 'change-then', 'delta'])

/** A run's difference from its level, and how far a level moved, are never in one column. */
function columns(facts: readonly Seen[]): readonly Violation[] {
  const own = facts.filter((one) => one.column !== null && one.part === 'effect' && relative.has(kindOf(one)))
  return [...groupBy(own, ({ surface, column }) => `${surface} ${column}`).values()].flatMap((all): Violation[] => {
    const [first] = all
    const other = all.find((one) => first !== undefined && kindOf(one) !== kindOf(first))
    return first === undefined || other === undefined
      ? []
      : [{ rule: 2, key: first.key, says: [say(first), `in one column with ${other.key}`] }]
  })
}

const calm: ReadonlySet<string> = new Set(['as-expected', 'better', 'no-history'])

/** A value inside the range printed next to it has no colour, and is not called unusual. */
function insideIsNotOff(facts: readonly Seen[]): readonly Violation[] {
  return facts.flatMap((one, at): Violation[] => {
    // "Next to it" means later on its page.
    const next = facts[at + 1]
    const isBeside = next !== undefined && kindOf(next) === 'expected' && placeOf(next) === placeOf(one)
    const range = kindOf(one) === 'figure' && isBeside ? next : undefined
    const [value, low, high] = [
      numberOf(one, 'value'),
      range && numberOf(range, 'low'),
      range && numberOf(range, 'high'),
    ]
    if (range === undefined || value === null || low == null || high == null) return []
    if (value < low || value > high || one.tone === null || calm.has(one.tone)) return []
    return [{ rule: 3, key: one.key, says: [`${say(one)}, ${one.tone}`, `${say(range)}: inside of ${low} to ${high}`] }]
  })
}

const placeOf = ({ surface, key }: Seen): string => [surface, ...partsOf(key).slice(1)].join(' ')

/** Worse and better only if the interval excludes zero and the estimate is outside the zone. */
function verdictsOfIntervals(facts: readonly Seen[]): readonly Violation[] {
  return facts.flatMap((one): Violation[] => {
    const kind = kindOf(one)
    const [effect, low, high] = [numberOf(one, 'effect'), numberOf(one, 'low'), numberOf(one, 'high')]
    const verdict = one.value?.['verdict']
    if (kind === 'experiment' && (verdict === 'worse' || verdict === 'better')) {
      // A line for people has it in its sentence.
      const isClear = low === null || high === null || low > 0 || high < 0
      return isClear ? [] : [{ rule: 4, key: one.key, says: [say(one), 'its interval holds zero'] }]
    }
    if (!relative.has(kind) || (verdict !== 'worse' && verdict !== 'better') || effect === null) return []
    const metricId = partsOf(one.key)[3] ?? ''
    // The zone of ratios is in points.
    const isShare = findMetric(metricId)?.unit === 'ratio'
    const margin = isShare ? 0 : (numberOf(one, 'margin') ?? (kind === 'delta' ? 0 : minEffectOf(metricId)))
    const why =
      low !== null && high !== null && low <= 0 && high >= 0
        ? `its interval ${low} to ${high} has zero`
        : Math.abs(Math.log1p(effect)) < Math.log1p(margin) - 1e-9
          ? `${effect} is within ×${1 + margin} either way`
          : null
    return why === null ? [] : [{ rule: 4, key: one.key, says: [`${say(one)}, ${verdict}`, why] }]
  })
}

/** Numbers of runs in the text of a link match its address. */
function countedSides(links: readonly SeenLink[]): readonly Violation[] {
  return links.flatMap(({ surface, sides, text }): Violation[] => {
    const both = /\((\d+) \+ (\d+)\)/.exec(text)
    const before = /the (\d+) before/.exec(text)
    const asked = both ? [Number(both[1]), Number(both[2])] : before ? [Number(before[1])] : []
    const isTrue = asked.every((count, at) => sides[at]?.length === count)
    const has = sides.map((side) => side.length).join(' + ')
    return isTrue ? [] : [{ rule: 5, key: `link ${writeSides(sides)}`, says: [`${surface}: ${text}`, has] }]
  })
}

/** The runs before one run are the same wherever they are linked. */
function oneSet(links: readonly SeenLink[]): readonly Violation[] {
  const before = links.filter(({ text, sides }) => /the \d+ before/.test(text) && sides.length === 2)
  return [...groupBy(before, ({ sides }) => writeSides(sides.slice(1)))].flatMap(([run, all]): Violation[] => {
    const [first] = all
    const other = all.find(({ sides }) => first !== undefined && writeSides(sides) !== writeSides(first.sides))
    if (first === undefined || other === undefined) return []
    const words = (one: SeenLink) => `${one.surface}: ${one.text} (${writeSides(one.sides.slice(0, 1))})`
    return [{ rule: 5, key: `before ${run}`, says: [words(first), words(other)] }]
  })
}

/** The comparison of a change's runs shows that change. */
function shownChanges(facts: readonly Seen[], changes: Statements['changes']): readonly Violation[] {
  const deltas = groupBy(
    facts.filter((one) => kindOf(one) === 'delta'),
    ({ key }) => key,
  )
  return changes.flatMap(({ surface, sides, metricId, effect }): Violation[] => {
    const key = ['delta', sides, '1', metricId].map(encodeURIComponent).join(' ')
    const other = (deltas.get(key) ?? []).find((one) => !isSame(numberOf(one, 'effect'), effect))
    return other === undefined ? [] : [{ rule: 5, key, says: [`${surface}: ${effect}`, say(other)] }]
  })
}

const percents = /(?:^|[^\d.])(\d+(?:\.\d+)?) %(?! interval)/g

/** The changes at the top of a comparison are among those on its page. */
function headlineFigures(facts: readonly Seen[]): readonly Violation[] {
  const surfaces = groupBy(facts, ({ surface }) => surface)
  const heads = facts.filter((one) => one.key.startsWith('headline comparison'))
  return heads.flatMap((head): Violation[] => {
    const beside = (surfaces.get(head.surface) ?? []).filter((one) => one !== head)
    const known = beside.flatMap(({ value }) => Object.values(value ?? {})).filter((one) => typeof one === 'number')
    if (known.length === 0) return []
    const isShown = (text: string) => {
      const slack = 0.5 * 10 ** -(text.split('.')[1]?.length ?? 0) + 1e-6
      const isNumber = (one: number, within: number) => Math.abs(Math.abs(100 * one) - Number(text)) <= within
      // What did not succeed failed, if the tool rounded its successes.
      return known.some((one) => isNumber(one, slack) || isNumber(1 - one, 2 * slack))
    }
    const sentence = plain(String(head.value?.['sentence'] ?? ''))
    const absent = [...sentence.matchAll(percents)].flatMap(([, text = '']) => (isShown(text) ? [] : [`${text} %`]))
    const says = [say(head), `no figure of the page is ${absent.join(', ')}`] as const
    return absent.length === 0 ? [] : [{ rule: 6, key: head.key, says }]
  })
}

/** A figure clipped by a timeout is marked on all pages, or on none. */
function bounds(facts: readonly Seen[]): readonly Violation[] {
  const printed = facts.filter((one) => kindOf(one) === 'figure' && one.text !== null)
  return [...groupBy(printed, ({ key }) => key)].flatMap(([key, all]): Violation[] => {
    const isBound = ({ text }: Seen) => text?.startsWith('≥') === true
    const [cut, whole] = [all.find(isBound), all.find((one) => !isBound(one))]
    return cut === undefined || whole === undefined ? [] : [{ rule: 8, key, says: [say(cut), say(whole)] }]
  })
}

/** What is not judged has no expected range anywhere. */
function barredRanges(facts: readonly Seen[]): readonly Violation[] {
  const barred = new Map(
    facts.filter((one) => kindOf(one) === 'barred').map((one) => [partsOf(one.key).slice(1).join(' '), one]),
  )
  return facts.flatMap((one): Violation[] => {
    const other = kindOf(one) === 'expected' ? barred.get(partsOf(one.key).slice(1).join(' ')) : undefined
    return other === undefined ? [] : [{ rule: 8, key: one.key, says: [say(one), `${other.surface}: not judged`] }]
  })
}
