import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { Fact } from '@/components/facts/fact'
import { factAttributes } from '@/components/facts/fact-attributes'
import { changeFact, factKey, figureFact } from '@/lib/run/fact'
import { defaultMetric } from '@/lib/run/metrics'

const figure = figureFact('run-1', defaultMetric, 21.123456)
const change = changeFact(defaultMetric, {
  ...{ seriesId: 's', profile: 'vegeta 300/s', afterRunId: 'run-1', before: 100, after: 120, verdict: 'worse' },
  ...{ effectRatio: 0.2, effectLowRatio: 0.15, effectHighRatio: 0.26 },
})

afterEach(() => vi.unstubAllEnvs())

it('prints the number of a fact, without its key unless tests request it', () => {
  expect(renderToStaticMarkup(<Fact of={figure} as="td" className="num" />)).toBe('<td class="num">21.1\u00a0ms</td>')
  expect(renderToStaticMarkup(<Fact of={change} part="effect" />)).toBe('<span>+20.0\u00a0%</span>')
  expect(renderToStaticMarkup(<Fact of={null} />)).toBe('<span>–</span>')
  expect(factAttributes(figure)).toEqual({})
})

it('carries key, part and unrounded value if tests request them', () => {
  vi.stubEnv('TAILBOARD_FACTS', 'on')
  expect(factAttributes(figure)).toEqual({
    ...{ 'data-fact': `figure run-1 ${defaultMetric.id}`, 'data-part': 'value' },
    'data-value': '{"value":21.123456}',
  })
  expect(factAttributes(change, 'effect')).toMatchObject({ 'data-fact': `change s vegeta%20300%2Fs p99 run-1` })
  expect(renderToStaticMarkup(<Fact of={figure} />)).toContain('data-value="{&quot;value&quot;:21.123456}"')
})

it('marks a value clipped by a timeout as a bound', () => {
  expect(renderToStaticMarkup(<Fact of={figureFact('run-1', defaultMetric, 2_000, true)} />)).toContain('≥2.00')
  expect(factKey('state', 'a b')).toBe('state a%20b')
})
