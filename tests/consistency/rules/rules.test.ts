import { describe, expect, it } from 'vitest'
import { readPage } from './read-page'
import { isRounded } from './rounded'
import { rules, violationsOf } from './rules'
import type { Seen, Statements } from './seen'

const seen = (surface: string, key: string, value: Seen['value'], more: Partial<Seen> = {}): Seen => ({
  ...{ surface, key, part: 'value', value, text: null, tone: null, column: null },
  ...more,
})
const statements = (facts: readonly Seen[], more: Partial<Statements> = {}): Statements => ({
  facts,
  links: [],
  changes: [],
  ...more,
})
const change = { before: 100, after: 120, effect: 0.2, low: 0.1, high: 0.3, verdict: 'worse' }
const delta = { base: 100, value: 120, effect: 0.2, low: 0.1, high: 0.3, margin: 0.05, verdict: 'worse' }
const range = { low: 40, high: 64 }

/** Nothing in this contradicts itself. */
const whole = statements(
  [
    seen('/board', 'figure r p99', { value: 63.7 }, { text: '63.7' }),
    seen('/run', 'figure r p99', { value: 63.7 }, { text: '63.7 ms' }),
    seen('/run', 'expected r p99', range, { part: 'range', text: 'since 8de2d48 40.0–64.0' }),
    seen(
      '/run',
      'against r p99',
      { value: 63.7, level: 60, effect: 63.7 / 60 - 1 },
      { part: 'effect', text: '+6.17 %', column: '1.4' },
    ),
    seen('/alert', 'change s x p99 r', change, { part: 'effect', text: '+20.0 %', column: '1.4' }),
    seen('/compare', 'delta a...b 1 p99', delta, { part: 'interval', text: '+10.0 % to +30.0 %' }),
    seen(
      '/compare',
      'headline comparison a...b',
      { sentence: 'b is 20 % slower' },
      { part: 'sentence', text: 'b is 20 % slower' },
    ),
    seen('/run', 'state r', { state: 'as-expected', sentence: 'As expected.' }, { part: 'state', text: 'As expected' }),
    seen('/home', 'count p alerts', { value: 1 }),
  ],
  {
    links: [{ surface: '/run', sides: [['a1', 'a2'], ['b']], text: 'Compare with the 2 before' }],
    changes: [{ surface: '/alert', sides: 'a...b', metricId: 'p99', effect: 0.2 }],
  },
)
const and = (...facts: readonly Seen[]): Statements => ({ ...whole, facts: [...whole.facts, ...facts] })

/** What breaks each rule, and how often. */
const planted: readonly (readonly [rule: number, what: string, statements: Statements])[] = [
  [1, 'another value of one key', and(seen('/trend', 'figure r p99', { value: 64.7 }))],
  [
    1,
    'a text that rounds another value',
    and(seen('/run', 'level x', { level: 51.9 }, { part: 'level', text: '69.1 ms' })),
  ],
  [
    1,
    'a word of another state',
    and(seen('/list', 'state r', { state: 'as-expected' }, { part: 'state', text: 'Worse' })),
  ],
  [
    2,
    'levels that do not divide to their change',
    and(seen('/t', 'change s y p99 r', { ...change, before: 51.9, after: 64.8, effect: 0.23 })),
  ],
  [
    2,
    'a change of level in the column of runs',
    and(seen('/run', 'change s z p99 r', change, { part: 'effect', column: '1.4' })),
  ],
  [
    3,
    'a coloured value inside its range',
    and(
      seen('/run', 'figure r p99', { value: 63.7 }, { tone: 'worse' }),
      seen('/run', 'expected r p99', range, { part: 'range' }),
    ),
  ],
  [4, 'worse with zero in the interval', and(seen('/c', 'delta c...d 1 p99', { ...delta, low: -0.01 }))],
  [
    4,
    'an experiment that is worse with zero in the interval',
    and(seen('/e', 'experiment e', { verdict: 'worse', effect: 0.06, low: -0.01, high: 0.13 })),
  ],
  [4, 'worse within what does not matter', and(seen('/c', 'delta c...e 1 p99', { ...delta, margin: 0.25 }))],
  [
    5,
    'a link that counts other runs',
    { ...whole, links: [{ surface: '/b', sides: [['a'], ['b']], text: 'the 10 before' }] },
  ],
  [
    5,
    'other runs before one run',
    { ...whole, links: [...whole.links, { surface: '/b', sides: [['a3', 'a2'], ['b']], text: 'the 2 before' }] },
  ],
  [
    5,
    'a comparison without its change',
    { ...whole, changes: [{ surface: '/alert', sides: 'a...b', metricId: 'p99', effect: 0.23 }] },
  ],
  [6, 'two headlines of one subject', and(seen('/share', 'headline comparison a...b', { sentence: 'undecided' }))],
  [
    6,
    'a headline whose figure is nowhere',
    and(
      seen(
        '/compare',
        'headline comparison x',
        { sentence: 'b is 31 % slower' },
        { part: 'sentence', text: 'b is 31 % slower' },
      ),
    ),
  ],
  [7, 'counts that differ', and(seen('/mcp', 'count p alerts', { value: 2 }))],
  [8, 'a bound on one page only', and(seen('/list', 'figure r p99', { value: 63.7 }, { text: '≥63.7 ms' }))],
  [8, 'a range of what is not judged', and(seen('/api', 'barred r p99', {}))],
]

describe('the consistency rules', () => {
  it('find nothing if there is no contradiction', () => expect(violationsOf(whole)).toEqual([]))

  it.each(planted)('rule %i finds %s', (rule, _what, broken) => {
    expect(violationsOf(broken).map((one) => one.rule)).toContain(rule)
    expect(rules[rule - 1]?.(broken)).not.toEqual([])
  })

  it('has a planted violation for each rule', () =>
    expect([...new Set(planted.map(([rule]) => rule))]).toEqual(rules.map((_, at) => at + 1)))
})

describe('a page', () => {
  const html = `<table><tr><td>p99</td><td class="num" data-state="worse"><span data-fact="figure r p99" data-part="value"
    data-value="{&quot;value&quot;:63.71}">63.7</span></td></tr></table><script>"<b data-fact='x'>"</script>
    <a href="/p/x/compare/a+b...c?m=p99">Compare with the 2&#x27; before</a>`

  it('is read with colours, columns and links', () => {
    const { facts, links } = readPage('/p', html)
    expect(facts).toEqual([
      {
        surface: '/p',
        key: 'figure r p99',
        part: 'value',
        value: { value: 63.71 },
        text: '63.7',
        tone: 'worse',
        column: '1.2',
      },
    ])
    expect(links).toEqual([{ surface: '/p', sides: [['a', 'b'], ['c']], text: "Compare with the 2' before" }])
  })

  it.each([
    ['value', { value: 3_141 }, '3.14', true],
    ['value', { value: 1_234_567 }, '1 234 567', true],
    ['value', { value: 0.1433 }, '14.33 %', true],
    ['value', { value: 63.7 }, '63.8', false],
    ['effect', { effect: -0.0312 }, '-3.12 %', true],
    ['effect', { effect: -0.0312 }, '+3.12 %', false],
    ['effect', { effect: 12.7 }, '×13.7', true],
    ['range', { low: 58.61, high: 70.79 }, 'expected 58.6–70.8', true],
    ['range', { low: 510.7, high: 1_408.5 }, 'since c15 511–1 409', true],
    ['range', { low: 47.7, high: 70.79 }, '58.6–70.8', false],
    ['interval', { low: 0.1, high: 0.2 }, '+10.0 % … +20.0 %', true],
    ['interval', { low: 0.1, high: 0.2 }, '+10.0 % to +30.0 %', false],
  ])('rounds %s %j to %s: %s', (part, value, text, isTrue) =>
    expect(isRounded(seen('/p', 'k', value, { part, text }))).toBe(isTrue),
  )
})
