import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { learnSamples } from '@/app/_server/learn-samples'
import { closedLoop, openLoop, pausedServer } from '@/components/learn/constructed'
import { LearnIndex, LearnView } from '@/components/learn/learn-view'
import { ToolView } from '@/components/learn/tool-view'
import { isLearnTopic, learnTopicNames } from '@/components/learn/topics'
import { remarksOf } from '@/components/run/judgement/run-remarks'
import { RunRemarksList } from '@/components/run/judgement/run-remarks-list'
import { findingsOf } from '@/lib/judge/findings'
import { toolIds, tools } from '@/lib/run/tools'
import { runsOf } from '../read-fixture'

const topicsInSource = () => [
  ...new Set(
    [...readFileSync('lib/judge/findings.ts', 'utf8').matchAll(/\blearn: '([\w-]+)'/g)].map(([, name]) => name ?? ''),
  ),
]

describe('explanations', () => {
  it('has a page for each name in a finding', async () => {
    const named = topicsInSource()
    expect(named).toContain('littles-law')
    const documents = readdirSync('tests/fixtures/documents').filter((name) => name.endsWith('.md'))
    const carried = (await Promise.all(documents.map((name) => runsOf({ document: path.parse(name).name }))))
      .flat()
      .flatMap((run) => findingsOf(run).flatMap(({ learn }) => learn ?? []))
    expect(new Set(carried).size).toBeGreaterThan(1)
    for (const name of [...named, ...carried]) expect(isLearnTopic(name), name).toBe(true)
  })

  it('does not mistake an inherited property for a topic', () => {
    expect(isLearnTopic('toString')).toBe(false)
    expect(isLearnTopic('percentile-plot')).toBe(true)
  })

  it('links every topic from the index', () => {
    const html = renderToStaticMarkup(createElement(LearnIndex, { version: '1.2.3' }))
    expect(learnTopicNames).toHaveLength(6)
    for (const name of learnTopicNames) expect(html).toContain(`href="/learn/${name}"`)
    for (const tool of toolIds) expect(html).toContain(`href="/learn/tools/${tool}"`)
  })

  it.each(toolIds)('explains the figures of %s, and links to the other tools', (tool) => {
    const html = renderToStaticMarkup(createElement(ToolView, { tool }))
    const { name, latencies, failures, coordinatedOmission } = tools[tool]
    expect(html).toContain(`What ${name} measures`)
    for (const words of [latencies, failures.rule, failures.words, coordinatedOmission.words])
      expect(html).toContain(renderToStaticMarkup(createElement('i', null, words)).slice(3, -4))
    const linked = [...html.matchAll(/href="\/learn\/tools\/([\w-]+)"/g)].map(([, id]) => id)
    expect(linked).toEqual(toolIds.filter((id) => id !== tool))
    expect(html).not.toMatch(/undefined|null|\[object/)
  })

  it.each(learnTopicNames)('%s: a plot with content, a screenful of text', async (topic) => {
    const html = renderToStaticMarkup(createElement(LearnView, { topic, samples: await learnSamples(), tables: [] }))
    const drawn = [...html.matchAll(/<path d="(M[^"]+)"/g)]
      .map(([, d]) => d ?? '')
      .filter((d) => (d.match(/-?\d+(?:\.\d+)?/g)?.length ?? 0) > 8)
    const bars = [...html.matchAll(/<rect [^>]*width="([\d.]+)%"/g)].map(([, width]) => Number(width))
    expect(drawn.length + bars.filter((width) => width > 1).length).toBeGreaterThan(1)
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
    expect(html).toMatch(/[Rr]eal runs|A constructed example, not a measurement/)
    const words = html
      .replace(/<figure[\s\S]*?<\/figure>|<nav[\s\S]*?<\/nav>/g, ' ')
      .replace(/<[^>]+>/g, ' ')
      .split(/\s+/).length
    expect(words).toBeGreaterThan(180)
    expect(words).toBeLessThan(380)
  })
})

it('describes the end of a line correctly: nothing was printed between it and the max', async () => {
  const article = createElement(LearnView, { topic: 'percentile-plot', samples: await learnSamples(), tables: [] })
  const html = renderToStaticMarkup(article)
  expect(html).toContain('Lines end at the last percentile printed. Hollow: max.')
  expect(html.replace(/\s+/g, ' ')).toContain('as hey printed nothing between them')
  expect(html).not.toMatch(/fades, and its points are hollow, where fewer/)
})

describe('links to the explanations', () => {
  it('follow a finding inside the app, and are absent from shares', async () => {
    const [run] = (await learnSamples()).wrk
    if (!run) throw new Error('a run of wrk expected')
    const list = { remarks: remarksOf(run), lineHref: () => null }
    const inside = renderToStaticMarkup(createElement(RunRemarksList, { ...list, canLearn: true }))
    expect(inside).toContain('href="/learn/littles-law"')
    expect(inside).toContain('href="/learn/coordinated-omission"')
    expect(renderToStaticMarkup(createElement(RunRemarksList, list))).not.toContain('/learn')
    for (const name of readdirSync('components/share').filter((file) => file.endsWith('.tsx')))
      expect(readFileSync(`components/share/${name}`, 'utf8'), name).not.toMatch(/canLearn|LearnLink|\/learn/)
  })
})

describe('constructed examples', () => {
  it('omits exactly what was due during the stop', () => {
    const { fromSchedule, whileWaiting } = pausedServer()
    expect(fromSchedule).toHaveLength(10_000)
    expect(fromSchedule.length - whileWaiting.length).toBe(1_000)
    expect(whileWaiting.filter((ms) => ms > 10)).toHaveLength(1)
    expect(fromSchedule.filter((ms) => ms > 10).length).toBeGreaterThan(1_000)
  })

  it('obeys Little’s law: connections = rate × mean', () => {
    const { valuesMs, requestsPerSecond } = closedLoop()
    const meanMs = valuesMs.reduce((sum, ms) => sum + ms, 0) / valuesMs.length
    expect((requestsPerSecond * meanMs) / 1000).toBeCloseTo(4, 2)
  })

  it('waits as queueing theory predicts: 1 / (service rate − arrival rate)', () => {
    const { valuesMs } = openLoop(50)
    const meanMs = valuesMs.reduce((sum, ms) => sum + ms, 0) / valuesMs.length
    expect(meanMs).toBeGreaterThan(18)
    expect(meanMs).toBeLessThan(22)
  })
})
