import { expect, it } from 'vitest'
import { panelMarkup } from '@/components/charts/plot/drawing'
import { pack } from '@/components/charts/plot/sent/pack'
import { unpack } from '@/components/charts/plot/sent/unpack'
import type { Mark, Plot, Prepared } from '@/components/charts/plot/model'
import { readPanel } from '@/components/charts/plot/readings'
import { prepareTrend, fittedTicksOf } from '@/components/charts/trend'
import { prepareTrendMap } from '@/components/charts/trend-map'
import { constantOf } from '@/components/trends/all-metrics'
import {
  nearestShare,
  sharesOf,
  spanAfterKey,
  spanAround,
  spanEndedAt,
  spanMoved,
  spanWithin,
} from '@/components/trends/history-span'
import {
  hasHistory,
  newestFigure,
  noiseSentence,
  plannerSentence,
  prepareScenarioTrends as prepareJudged,
  scenarioSentence,
  trendSentence,
} from '@/components/trends/scenario-trends'
import { readTrendsQuery, trendsSearch } from '@/components/trends/trends-url'
import { findMetric, type Metric, figuresOf } from '@/lib/run/metrics'
import type { SeriesHistory } from '@/lib/history/stored-series'
import { faintChanges } from '@/lib/levels/faint-changes'
import { trendsOf } from '@/lib/levels/trend'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { sampleLatency, sampleRun } from '../queries/samples'

const metric = readTrendsQuery({}).metric
const view = { order: 'time', scale: 'linear', projectSlug: 'demo' } as const

const prepareScenarioTrends = (histories: readonly SeriesHistory[], shown: Metric) =>
  prepareJudged(histories.map((one) => trendsOf(one, shown, 2_000)))

/** A history of p99s in ms, one run per day; null is a run without latencies. */
function history(scenario: string, variant: string, p99s: readonly (number | null)[]): SeriesHistory {
  return {
    id: `${scenario}-${variant}`,
    projectId: 'p',
    projectSlug: 'demo',
    scenario,
    variant,
    environment: null,
    points: p99s.map((ms, at) => {
      const latencies = ms === null ? [] : [sampleLatency({ quantiles: [{ q: 0.99, ms }] })]
      return {
        runId: `${variant}-${at}`,
        uploadId: `u${at}`,
        orderedAt: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
        tool: 'hey',
        load: { kind: 'closed', connections: 10 },
        labels: { commit: `c${at}` },
        guards: [],
        judgementBasis: null,
        figures: figuresOf(sampleRun({ latencies })),
      }
    }),
  }
}

/** The first mark of this kind. */
const markOf = <Kind extends Mark['kind']>(prepared: Prepared | null, kind: Kind) =>
  prepared?.plot.panels[0]?.marks.find((mark): mark is Extract<Mark, { kind: Kind }> => mark.kind === kind)
const rulesOf = (prepared: Prepared | null, kind: string) =>
  (prepared?.plot.panels[0]?.rules ?? []).filter((rule) => rule.kind === kind)
const box = 100_000

const steady = (count: number, ms: number) =>
  Array.from({ length: count }, (_, at) => ms * (1 + 0.01 * Math.sin(at * 2.4)))
const worse = [...steady(20, 40), ...steady(10, 52)]

it('scenarios are ordered by their changes, and describe them', () => {
  const scenarios = prepareScenarioTrends(
    [history('quiet', 'a', steady(30, 10)), history('thin', 'a', [1]), history('worse', 'gzip', worse)],
    metric,
  )
  expect(scenarios.map((one) => one.scenario)).toEqual(['worse', 'quiet', 'thin'])
  const [moved, quiet, thin] = scenarios.flatMap((one) => one.trends)
  if (!moved || !quiet || !thin) throw new Error('three lines')
  expect(trendSentence(moved, [])).toMatch(
    /^Worse since 21 Jan 2026: \+\d\d(\.\d)?\s%, from 40(\.\d)?\sms to 52(\.\d)?\sms\.$/,
  )
  const { id } = moved.profile.series
  const shift: EnvironmentEvent = {
    kind: 'environment',
    ...{ environment: 'm7i', factor: 1.3, leastFactor: 1.2, mostFactor: 1.4, hasControl: true },
    ...{ seriesIds: [id, 'other'], since: '2026-01-20T20:00:00.000Z', overSince: null },
  }
  const onM7i = { ...moved, profile: { ...moved.profile, series: { ...moved.profile.series, environment: 'm7i' } } }
  expect(trendSentence(onM7i, [shift])).toMatch(/^Since 21 Jan 2026, when m7i itself became 30\s% slower: \+\d\d/)
  for (const other of [{ seriesIds: ['other'] }, { environment: 'x' }, { since: '2026-01-10T00:00:00.000Z' }])
    expect(trendSentence(onM7i, [{ ...shift, ...other }])).toMatch(/^Worse since 21 Jan/)
  expect(trendSentence(quiet, [])).toBe('No change in 30 runs.')
  expect([moved, quiet, thin].map((trend) => hasHistory([trend]))).toEqual([true, true, false])
  expect(scenarioSentence([moved], ['gzip'], [])).toBe(trendSentence(moved, []))
  expect(scenarioSentence([quiet, moved], ['a', 'gzip'], [])).toBe(`gzip: ${trendSentence(moved, [])}`)
  expect(scenarioSentence([quiet, thin], ['a', 'b'], [])).toBe(trendSentence(quiet, []))
  expect(scenarioSentence([], [], [])).toBeNull()
  expect(newestFigure(thin)).toMatchObject({ text: '1.00\u00a0ms', fact: { value: { value: 1 } } })
  expect(noiseSentence(quiet)).toMatch(/^Run-to-run noise: ±[01](\.\d+)?\s% \(quiet\); a change of \d/)
  const plan = (sdStep: number) =>
    plannerSentence(quiet, { runs: 61, sdLog: sdStep, sdStep, maxStepLog: null })?.replaceAll('\u00a0', ' ') ?? null
  // A deviation of 7.1 % per round, at its upper 80 % limit (60 df): 7.7 %; 9 rounds.
  expect(plan(0.05)).toBe(
    'To compare two versions: 9 rounds, a run of each in turn, would show a 10 % change of p99 with 80 % power.',
  )
  expect(plan(0.5)).toMatch(
    /^To compare two versions: even 200 rounds would not show a 10 % change of p99 with 80 % power\./,
  )
  expect(plannerSentence(quiet, null)).toBeNull()
  const barred = { ...thin, points: thin.points.map((point) => ({ ...point, isBarred: true })) }
  expect(trendSentence(barred, [])).toBe('0 of 1 run can be judged: at least 5 are needed to detect a change.')
  expect(trendSentence(thin, [])).toBe('1 run: at least 5 are needed to detect a change.')
})

it('an expected range that is wider than the axis of its values is drawn whole', () => {
  const [scenario] = prepareScenarioTrends(
    [
      history(
        's',
        'a',
        Array.from({ length: 30 }, () => 500),
      ),
    ],
    metric,
  )
  const band = (low: number, high: number) => {
    const trends = (scenario?.trends ?? []).map((trend) => ({
      ...trend,
      level: trend.level && { ...trend.level, low, high },
    }))
    const marks = prepareTrend(metric, trends, view)?.plot.panels[0]?.marks ?? []
    return marks.find((mark) => mark.kind === 'band')
  }
  const wide = band(420, 580)
  expect(Math.min(...(wide?.low ?? []).flatMap((one) => one ?? []))).toBeGreaterThan(0)
  expect(Math.max(...(wide?.high ?? []).flatMap((one) => one ?? []))).toBeLessThan(box)
  expect(band(499, 501)).toBeDefined()
})

it('a plot has a mark linked to its comparison, a band from the change on, and gaps for missing figures', () => {
  const gap = worse.map((ms, at) => (at === 5 ? null : ms))
  const [scenario] = prepareScenarioTrends([history('s', 'gzip', gap)], metric)
  const prepared = prepareTrend(metric, scenario?.trends ?? [], view)
  const line = markOf(prepared, 'line')
  expect(line?.y.map((value) => value === null)).toEqual(gap.map((ms) => ms === null))
  const ids = (from: number) => Array.from({ length: 10 }, (_, at) => `gzip-${from + at}`).join('+')
  expect(rulesOf(prepared, 'change')).toMatchObject([
    { verdict: 'worse', href: `/p/demo/compare/${ids(10)}...${ids(20)}` },
  ])
  const band = markOf(prepared, 'band')
  expect((band?.x[0] ?? 0) / box).toBeCloseTo(20 / 29, 4)
  expect([line?.notes?.[0], line?.hrefs?.[0], line?.at[0]]).toEqual(['c0', '/p/demo/runs/gzip-0', 0])
  expect(markOf(prepared, 'spans')).toBeUndefined()
  const ticks = prepared?.plot.panels[0]?.y.ticks ?? []
  // The values are near each other: two strokes say that the axis does not start at 0.
  expect(ticks[0]).toMatchObject({ at: 0, label: '35' })
  expect(prepared?.plot.panels[0]?.y.isBroken).toBe(true)
  expect(ticks.at(-1)?.label).toMatch(/ms$/)
  const rows = prepared?.table().rows ?? []
  expect(rows).toHaveLength(30)
  expect(rows[24]?.[1]).toBe('–')
})

it('a run outside of the range that is drawn is a hollow diamond', () => {
  const outlier = [...steady(30, 40)].map((ms, at) => (at === 24 ? 60 : ms))
  const [scenario] = prepareScenarioTrends([history('s', 'gzip', outlier)], metric)
  const marks = prepareTrend(metric, scenario?.trends ?? [], view)?.plot.panels[0]?.marks ?? []
  const dots = marks.flatMap((mark) => (mark.kind === 'dots' ? mark : []))
  expect(dots.map(({ isHollow, marker, which }) => [isHollow, marker, which.includes(24)])).toEqual([
    [false, undefined, false],
    [true, 'diamond', true],
  ])
  // The axis fits the others, so it is at the edge, with its value.
  expect(marks.flatMap((mark) => (mark.kind === 'label' ? mark.text : []))).toEqual(['↑ 60.0'])
})

it('the cursor reads every variant of a day, those at another time with it', () => {
  const later = history('s', 'node22', steady(6, 50))
  const points = later.points.map((point) => ({ ...point, orderedAt: point.orderedAt.replace('T00:00', 'T02:05') }))
  const [scenario] = prepareScenarioTrends([history('s', 'node20', steady(6, 40)), { ...later, points }], metric)
  const plot = prepareTrend(metric, scenario?.trends ?? [], view)?.plot ?? expect.fail('no plot')
  const [first = 0] = plot.places
  const readings = plot.panels.flatMap((panel) => readPanel(plot, panel, first))
  expect(readings.map(({ name, note, href }) => [name, note, href])).toEqual([
    ['node20', 'c0', '/p/demo/runs/node20-0'],
    ['node22', '02:05 · c0', '/p/demo/runs/node22-0'],
  ])
})

it('by run, runs are evenly spaced whatever the time between them', () => {
  const [scenario] = prepareScenarioTrends([history('s', 'a', [1, 2, 4])], metric)
  const prepared = prepareTrend(metric, scenario?.trends ?? [], { ...view, order: 'runs', scale: 'log' })
  expect(prepared?.plot.places).toEqual([0, box / 2, box])
})

it('part of a history is drawn alone, but judged with the whole', () => {
  const [scenario] = prepareScenarioTrends([history('s', 'gzip', worse)], metric)
  const from = '2026-01-16T00:00:00.000Z'
  const part = (to: string) => prepareTrend(metric, scenario?.trends ?? [], { ...view, from, to })
  const shown = part('2026-01-26T00:00:00.000Z')
  const times = shown?.plot.heading?.kind === 'times' ? shown.plot.heading.times : []
  expect(times.map((ms) => new Date(ms).toISOString().slice(8, 10))).toEqual(
    '16 17 18 19 20 21 22 23 24 25 26'.split(' '),
  )
  expect([shown?.plot.places[0], shown?.plot.places.at(-1)]).toEqual([0, box])
  expect(rulesOf(shown, 'change')).toMatchObject([{ at: box / 2, verdict: 'worse' }])
  expect(markOf(shown, 'band')?.x[0]).toBe(box / 2)
  const before = part('2026-01-20T00:00:00.000Z')
  expect([rulesOf(before, 'change'), markOf(before, 'band')]).toEqual([[], undefined])
  expect(before?.table().rows).toHaveLength(5)
  expect(part('2026-01-01T00:00:00.000Z')).toBeNull()
})

it('the map holds the whole history, its changes thick, whatever part the chart shows', () => {
  const [scenario] = prepareScenarioTrends([history('s', 'gzip', worse)], metric)
  const map = prepareTrendMap(metric, scenario?.trends ?? [], view) ?? expect.fail('no map')
  const [panel] = map.plot.panels
  expect(map.times).toHaveLength(30)
  expect(panel?.marks.map(({ kind }) => kind)).toEqual(['line'])
  expect(panel?.rules).toMatchObject([{ kind: 'change', verdict: 'worse', label: '', href: null }])
  expect([map.plot.x.ticks, panel?.y.ticks]).toEqual([[], []])
  const [short] = prepareScenarioTrends([history('s', 'gzip', steady(9, 40))], metric)
  expect(prepareTrendMap(metric, short?.trends ?? [], view)).toBeNull()
})

it('the shown part moves and is resized within the history, by pointer and keys', () => {
  const times = Array.from({ length: 11 }, (_, at) => at * 10)
  expect(spanWithin(times, null, null)).toEqual([0, 10])
  expect(spanWithin(times, 15, 44)).toEqual([2, 4])
  expect(spanWithin(times, 500, 600)).toEqual([9, 10])
  expect([spanMoved([2, 4], 3, 10), spanMoved([2, 4], 30, 10), spanMoved([2, 4], -5, 10)]).toEqual([
    [5, 7],
    [8, 10],
    [0, 2],
  ])
  expect([spanEndedAt([2, 4], 'from', 9, 10), spanEndedAt([2, 4], 'to', 0, 10)]).toEqual([
    [3, 4],
    [2, 3],
  ])
  expect(spanAround([0, 4], 7, 10)).toEqual([5, 9])
  const after = (grip: 'part' | 'from' | 'to', key: string) => spanAfterKey([2, 4], grip, key, 10)
  expect([after('part', 'ArrowRight'), after('part', 'End'), after('from', 'Home'), after('to', 'PageUp')]).toEqual([
    [3, 5],
    [8, 10],
    [0, 4],
    [2, 10],
  ])
  expect(after('part', 'a')).toBeNull()
  expect(sharesOf([0, 10, 40], 'time')).toEqual([0, 0.25, 1])
  expect(sharesOf([0, 10, 40], 'runs')).toEqual([0, 0.5, 1])
  expect(nearestShare([0, 0.25, 1], 0.6)).toBe(1)
})

it('what only finer settings see is a line without words; a reported change is not drawn twice', () => {
  const small = [...steady(20, 40), ...steady(20, 41.6)]
  const [scenario] = prepareScenarioTrends([history('s', 'gzip', small)], metric)
  const trends = (scenario?.trends ?? []).map((trend) => ({ ...trend, faint: faintChanges(trend) }))
  expect(trends.map(({ changes, faint }) => [changes, faint])).toEqual([[[], [20]]])
  const prepared = prepareTrend(metric, trends, view)
  expect(rulesOf(prepared, 'faint')).toMatchObject([
    { label: '', title: expect.stringContaining('not a change: 21 Jan 2026') },
  ])
  expect(prepared?.plot.note).toContain('Dotted line: seen by finer settings only, not a change.')
  const [moved] = prepareScenarioTrends([history('s', 'gzip', worse)], metric)[0]?.trends ?? []
  expect(moved && [moved.changes.length, faintChanges(moved)]).toEqual([1, []])
})

it('the part is in the address; invalid times are ignored', () => {
  const query = readTrendsQuery({ from: '2026-01-16', to: 'tomorrow' })
  expect(query).toMatchObject({ from: '2026-01-16T00:00:00.000Z', to: null })
  expect(trendsSearch(query)).toBe('?from=2026-01-16T00%3A00%3A00.000Z')
  expect(trendsSearch(query, { from: null })).toBe('')
})

it('no run has the metric: no plot', () => {
  const other = findMetric('init')
  const [scenario] = prepareScenarioTrends([history('s', 'a', [1, 2])], other ?? metric)
  expect(scenario?.trends).toEqual([])
  expect(prepareTrend(other ?? metric, [], view)).toBeNull()
})

it('the address holds the view', () => {
  const query = readTrendsQuery({ metric: 'p50', order: 'runs', scale: 'log', last: '50' })
  expect(trendsSearch(query)).toBe('?metric=p50&order=runs&scale=log&last=50')
  expect(trendsSearch(readTrendsQuery({ metric: 'nonsense', last: '3', order: ['x'] }))).toBe('')
})

it('a slow drift is described in words if no step explains it', () => {
  const creeping = Array.from({ length: 60 }, (_, at) => (40 + at * 0.1) * (1 + 0.02 * Math.sin(at * 2.4)))
  const [scenario] = prepareScenarioTrends([history('s', 'a', creeping)], metric)
  const [trend] = scenario?.trends ?? []
  if (!trend) throw new Error('a line')
  expect(trend.changes.map((one) => one.kind)).not.toContain('step')
  const { drift } = trend
  if (drift === null) throw new Error('a drift')
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length
  expect(drift.count).toBe(60)
  expect(Math.abs(drift.before / mean(creeping.slice(0, 20)) - 1)).toBeLessThan(0.01)
  expect(Math.abs(drift.after / mean(creeping.slice(-10)) - 1)).toBeLessThan(0.01)
  expect(trendSentence(trend, [])).toMatch(
    /^p99 rose 1\d(\.\d)?\s% over 60 runs, no single step: from 4\d\.\d\sms to 4\d\.\d\sms\./,
  )
  expect(prepareScenarioTrends([history('s', 'a', steady(60, 40))], metric)[0]?.trends.map((one) => one.drift)).toEqual(
    [null],
  )
})

/** A history whose runs have these labels. */
function labelled(labels: readonly Readonly<Record<string, string>>[], variant = 'a'): SeriesHistory {
  const all = history('s', variant, steady(labels.length, 40))
  return { ...all, points: all.points.map((point, at) => ({ ...point, labels: labels[at] ?? {} })) }
}

const marksOf = (...histories: readonly SeriesHistory[]) => {
  const [scenario] = prepareScenarioTrends(histories, metric)
  const prepared = prepareTrend(metric, scenario?.trends ?? [], { ...view, order: 'runs' })
  return rulesOf(prepared, 'label').map((one) => [one.label, one.title.replace(/, \d+ \w{3} 2026.*?(;|$)/g, '$1')])
}

it('changes of version are marked; a commit only if it lasts for some runs', () => {
  const versions = ['1.0', '1.0', '1.0', '1.1', '1.1', '1.1', '1.1', '1.1']
  const everyRun = versions.map((version, at) => ({ version, commit: `c${at}` }))
  expect(marksOf(labelled(everyRun))).toEqual([['1.1', 'version 1.0 → 1.1']])
  const nightly = Array.from({ length: 10 }, (_, at) => ({ experiment: `e${at}`, commit: at < 4 ? 'aaa' : 'bbb' }))
  expect(marksOf(labelled(nightly))).toEqual([['bbb', 'commit aaa → bbb']])
  expect(marksOf(labelled(everyRun.map(({ commit }) => ({ commit }))))).toEqual([])
  expect(marksOf(labelled([{ version: '1' }, {}, { version: '1' }, {}, { version: '2' }, {}]))).toEqual([
    ['2', 'version 1 → 2'],
  ])
  expect(marksOf(labelled(everyRun), labelled(everyRun, 'b'))).toEqual([['1.1', 'version 1.0 → 1.1']])
})

it('many changes are thinned out: labels keep their distance, close marks become one with a count', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ version: `v${at}` }))
  const marks = marksOf(labelled(many)) ?? []
  expect(marks.length).toBeLessThanOrEqual(51)
  expect(marks.filter(([label]) => label !== '').length).toBeLessThanOrEqual(7)
  expect(marks[0]?.[0]).toMatch(/^v\d \+\d$/)
  expect(marks[0]?.[1]).toMatch(/^version v0 → v1; version v1 → v2; /)
})

it('changes of labels are in the table, too', () => {
  const versions = labelled(['1.0', '1.0', '1.1'].map((version, at) => ({ version, experiment: `e${at}` })))
  const [scenario] = prepareScenarioTrends([versions], metric)
  const rows = prepareTrend(metric, scenario?.trends ?? [], view)?.table().rows ?? []
  expect(rows.map((row) => row[1])).toContain('version 1.0 → 1.1')
  expect(rows).toHaveLength(4)
})

it('the browser restores the plot exactly', () => {
  const gap = worse.map((ms, at) => (at === 5 ? null : ms))
  const repeated = history('s', 'b', gap)
  const twice = repeated.points.map((point, at) => ({ ...point, labels: at % 3 === 0 ? {} : { build: `${at >> 1}` } }))
  const [scenario] = prepareScenarioTrends([history('s', 'a', worse), { ...repeated, points: twice }], metric)
  for (const order of ['time', 'runs'] as const) {
    const plot = prepareTrend(metric, scenario?.trends ?? [], { ...view, order })?.plot
    if (!plot) throw new Error('a plot')
    expect(plot.panels[0]?.marks.map(({ kind }) => kind)).toContain('spans')
    const arrived: Plot = unpack(JSON.parse(JSON.stringify(pack(plot))))
    expect(arrived).toEqual(JSON.parse(JSON.stringify(plot)))
  }
})

it('a path goes through every point, and starts again after a gap', () => {
  const [scenario] = prepareScenarioTrends([history('s', 'a', [10, 20, null, 40, 40, null, 30])], metric)
  const draw = (isSmall: boolean) => {
    const prepared = prepareTrend(metric, scenario?.trends ?? [], { ...view, order: 'runs', isSmall })
    const [panel] = prepared?.plot.panels ?? []
    if (!prepared || !panel) throw new Error('a plot')
    return { dots: markOf(prepared, 'dots')?.which, markup: String(panelMarkup(prepared.plot, panel)) }
  }
  const small = draw(true)
  expect(small.markup).toContain('d="M0 750l167-250M500 0l167 0M1000 250"')
  expect(small.dots).toEqual([6])
  expect(draw(false).dots).toEqual([0, 1, 3, 4, 6])
})

it('a chart can show a change of 5 %, and starts at 0 if values differ by more', () => {
  expect(fittedTicksOf(metric, [100, 105])).toEqual([90, 95, 100, 105, 110, 115])
  for (const values of [[100], [59.6, 61], [0.0012, 0.00121], [2_070, 1_917]]) {
    const ticks = fittedTicksOf(metric, values)
    const [from = 0, to = 0] = [ticks[0], ticks.at(-1)]
    expect(from).toBeLessThanOrEqual(Math.min(...values))
    expect(to).toBeGreaterThanOrEqual(Math.max(...values))
    expect((0.05 * Math.max(...values)) / (to - from)).toBeGreaterThan(0.19)
  }
  expect(fittedTicksOf(metric, [10, 40])[0]).toBe(0)
  expect(fittedTicksOf(metric, [0, 0])).toEqual([0, 1])
})

it('a metric that never changed is shown as a figure', () => {
  const of = (...values: (number | null)[]) =>
    prepareScenarioTrends([history('s', 'a', values)], metric).flatMap(({ trends }) => trends)
  expect(constantOf(of(10, null, 10))).toBe(10)
  expect(constantOf(of(10, 10.1))).toBeNull()
})

it('marks where the environment of a trend was another, and of no other trend', () => {
  const of = (environment: string | null) => ({ ...history('GET /', 'a', Array<number>(20).fill(100)), environment })
  const shift: EnvironmentEvent = {
    ...{ kind: 'environment', environment: 'm7i.large', factor: 2.9, leastFactor: 2.6, mostFactor: 3.2 },
    ...{ seriesIds: ['a', 'b', 'c'], hasControl: true },
    ...{ since: '2026-01-06T00:00:00.000Z', overSince: '2026-01-11T00:00:00.000Z' },
  }
  const rulesOf = (environment: string | null) => {
    const trends = trendsOf(of(environment), metric, 100).trends
    const rules = prepareTrend(metric, trends, { ...view, shifts: [shift] })?.plot.panels[0]?.rules ?? []
    return rules.filter(({ kind }) => kind === 'moved')
  }
  const [rule, ...others] = rulesOf('m7i.large')
  expect(others).toEqual([])
  // The first of 20 days is at 0, the last at 100,000: six to ten of them.
  expect([rule?.at, rule?.until]).toEqual([Math.round((5 / 19) * 100_000), Math.round((9 / 19) * 100_000)])
  expect(rule?.title.replaceAll('\u00a0', ' ')).toMatch(/^m7i\.large itself became 2\.9× slower on 6 Jan 2026/)
  expect(rulesOf('c7g')).toEqual([])
  expect(rulesOf(null)).toEqual([])
})
