import { z } from 'zod'
import { alertAnswer } from '@/app/_server/answers/alert-answers'
import { experimentAnswer, nextRunAnswer } from '@/app/_server/answers/experiment-answer'
import { whyAnswer } from '@/app/_server/answers/why-answer'
import { verdictAnswer } from '@/app/_server/answers/gate-answer'
import { runAnswer, runRowAnswer } from '@/app/_server/answers/run-answers'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { writeSides } from '@/lib/judge/compare-url'
import { factKey, figureFact, headlineFact } from '@/lib/run/fact'
import { reportedStates } from '@/lib/rules/stored-alerts'
import { metrics } from '@/lib/run/metrics'
import type { Receiver } from '../server/receiver'
import { askAgents } from './call-tools'
import { factsOfMessages } from './read-messages'
import { experimentOutput, plantExperiment, plantHistory, plantRule, type PlantedExperiment } from './plant'
import { factsOfExperiment, factsOfReport } from './read-experiments'
import { factsOfComparison, factsOfCsv, factsOfGate, factsOfRow, factsOfRun, readAlert } from './read-answers'
import { readPage } from './rules/read-page'
import { violationsOf, type Violation } from './rules/rules'
import type { FactsServer } from './facts-server'
import { plain, said, type Seen, type SeenChange, type SeenLink, type Statements } from './rules/seen'

/** What the walk through one history collected. */
export interface Walked {
  readonly seed: number
  readonly surfaces: number
  readonly facts: number
  readonly violations: readonly Violation[]
}

const rowsSchema = z.object({ rows: z.array(runRowAnswer) })
const alertsSchema = z.object({ alerts: z.array(z.looseObject({ id: z.string(), state: z.string() })) })
const openStates: ReadonlySet<string> = new Set(['open', 'acknowledged'])

/** Uploads the history of a seed to its own project, opens everything that shows it, and returns the contradictions. */
export async function walkSeed(server: FactsServer, seed: number, nowMs: number): Promise<Walked> {
  const slug = `history-${seed}`
  const walk = new Walk(server.app.url, slug, server.receiver)
  await walk.send('POST', '/api/v1/projects', JSON.stringify({ name: `History ${seed}`, slug }))
  const hook = { kind: 'webhook', name: 'Hook', target: `${server.receiver.url}/${slug}` }
  await walk.send('POST', `${walk.api}/channels`, JSON.stringify(hook))
  const settings = plantRule(seed)
  if (settings !== null) await walk.send('POST', `${walk.api}/rules`, JSON.stringify({ settings }))
  for (const { query, body } of plantHistory(seed, nowMs)) await walk.send('PUT', `${walk.api}/uploads?${query}`, body)
  await walk.run(plantExperiment(seed), seed)
  await walk.see()
  return { seed, surfaces: walk.surfaces, facts: walk.facts.length, violations: violationsOf(walk) }
}

/** Number of comparison links followed in each history. */
const maxFollowed = 8
/** Number of runs in each history whose pages are opened: the newest, and those that are not as expected. */
const maxRuns = 10

class Walk implements Statements {
  readonly facts: Seen[] = []
  readonly links: SeenLink[] = []
  readonly changes: SeenChange[] = []
  surfaces = 0
  #experiment = ''
  #compared: readonly (readonly (readonly string[])[])[] = []
  readonly api: string
  readonly #path: string
  constructor(
    readonly origin: string,
    readonly slug: string,
    readonly receiver: Receiver,
  ) {
    this.api = `/api/v1/projects/${slug}`
    this.#path = `/p/${slug}`
  }

  async send(method: string, path: string, body: string): Promise<void> {
    const answer = await fetch(`${this.origin}${path}`, { method, body })
    // 422: a build's gate, which waits until the run is judged, failed.
    if (answer.status >= 300 && answer.status !== 422)
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }

  /** Plays the runner of an experiment. */
  async run(planted: PlantedExperiment, seed: number): Promise<void> {
    const post = async <T>(schema: z.ZodType<T>, path: string, body: object = {}): Promise<T> => {
      const answer = await fetch(`${this.origin}${this.api}/experiments${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      return schema.parse(answer.status === 204 ? null : await answer.json())
    }
    const { id } = await post(experimentAnswer, '', planted.plan)
    this.#experiment = id
    for (let run = 1; run <= planted.runs; run += 1) {
      const next = await post(nextRunAnswer, `/${id}/next`)
      if (!('arm' in next)) return
      const { arm, round, upload } = next
      if (run === planted.failing) await post(z.null(), `/${id}/void`, { arm, round, reason: 'exit 1' })
      else {
        const body = experimentOutput(planted, arm, seed * 1_000 + run)
        await this.send('PUT', `${this.api}/uploads?${upload}&scenario=GET+/experiment`, body)
      }
    }
  }

  /** What is said of the experiment: pages, answers, Markdown. */
  async #experiments(): Promise<void> {
    const id = this.#experiment
    await this.#page(`${this.#path}/experiments`)
    await this.#page(`${this.#path}/experiments/${id}`)
    const answer = await this.#json(experimentAnswer, `${this.api}/experiments/${id}`)
    this.facts.push(...factsOfExperiment(`experiments/${id}.json`, answer))
    const report = await this.#text(`${this.api}/experiments/${id}/experiment.md`)
    this.facts.push(...factsOfReport(`experiments/${id}/experiment.md`, answer, report))
  }

  async see(): Promise<void> {
    const rows = await this.#judgedRows()
    for (const path of ['', '/runs', '/trends', '/matrix', '/alerts']) await this.#page(`${this.#path}${path}`)
    await this.#page(`${this.#path}?metric=mean`)
    this.facts.push(...rows.flatMap((row) => factsOfRow('runs.json', row)))
    this.facts.push(...factsOfCsv('runs.csv', await this.#text(`${this.api}/runs.csv`), rows))
    for (const id of new Set(rows.map(({ seriesId }) => seriesId))) {
      await this.#page(`${this.#path}/trends/${id}`)
      await this.#page(`${this.#path}/trends/${id}?metric=mean`)
    }
    for (const name of new Set(rows.flatMap(({ environment }) => environment ?? [])))
      await this.#page(`${this.#path}/environments/${encodeURIComponent(name)}`)
    for (const { id } of this.#chosen(rows)) {
      await this.#page(`${this.#path}/runs/${id}`)
      this.facts.push(...factsOfRun(`runs/${id}.json`, await this.#json(runAnswer, `${this.api}/runs/${id}`)))
    }
    const { alerts } = await this.#json(alertsSchema, `${this.api}/alerts`)
    for (const { id } of alerts) {
      await this.#page(`${this.#path}/alerts/${id}`)
      const answer = await this.#json(alertAnswer, `${this.api}/alerts/${id}`)
      const { facts, changes } = readAlert(`alerts/${id}.json`, answer)
      this.facts.push(...facts)
      // No comparison shows what turned out not to exist.
      if (reportedStates.includes(answer.state)) this.changes.push(...changes)
    }
    await this.#experiments()
    await this.#shared(rows)
    await this.#comparisons()
    const open = alerts.filter(({ state }) => openStates.has(state)).length
    await this.#messages(open)
    this.#count('runs.json', 'runs', rows.length)
    this.#count('alerts.json', 'alerts', open)
    const comparisons = this.#compared
    const experiment = await this.#json(experimentAnswer, `${this.api}/experiments/${this.#experiment}`)
    const agents = await askAgents(this.origin, this.slug, { rows, alerts, comparisons, facts: this.facts, experiment })
    this.facts.push(...agents.facts)
    this.surfaces += agents.asked
  }

  /** What webhooks received: each alert that stays open sends one. */
  async #messages(open: number): Promise<void> {
    const own = () => this.receiver.received.filter(({ path }) => path === `/${this.slug}`)
    const deadline = Date.now() + 5_000
    while (own().length < open && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
    this.facts.push(...factsOfMessages(own()))
    this.surfaces += own().length
  }

  /** Runs of the project, newest first, once all of them are judged and pages say so. */
  async #judgedRows(): Promise<z.infer<typeof rowsSchema>['rows']> {
    const deadline = Date.now() + 60_000
    for (;;) {
      const { rows } = await this.#json(rowsSchema, `${this.api}/runs?limit=200`)
      const page = await this.#text(this.#path)
      if (rows.every(({ judged }) => judged !== null) && !page.includes('Updating')) return rows
      if (Date.now() > deadline) {
        const waiting = rows.filter(({ judged }) => judged === null).map(({ id }) => id)
        const what = waiting.length > 0 ? `the runs ${waiting.join(', ')} are not judged` : 'its page says “Updating”'
        throw new Error(`${this.slug}: ${what} after a minute`)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  #chosen<
    Row extends {
      id: string
      seriesId: string
      candidate: boolean
      labels: Record<string, string>
      judged: { state: string } | null
    },
  >(all: readonly Row[]): readonly Row[] {
    // Those of the experiment are on its page.
    const rows = all.filter(({ labels }) => labels['arm'] === undefined)
    const newest = rows.filter((row) => rows.find(({ seriesId }) => seriesId === row.seriesId) === row || row.candidate)
    const odd = rows.filter(({ judged }) => judged?.state !== 'as-expected' && judged?.state !== 'no-history')
    return [...new Set([...newest, ...odd])].slice(0, maxRuns)
  }

  /** What outsiders and builds see of the newest run in a series: its share, its badge, its gate. */
  async #shared(rows: z.infer<typeof rowsSchema>['rows']): Promise<void> {
    const [newest] = rows.filter(({ candidate }) => !candidate)
    if (newest === undefined) return
    const { id, seriesId, uploadId, labels } = newest
    const gate = await this.#json(verdictAnswer, `${this.api}/uploads/${uploadId}/gate?format=json`)
    const isAlone =
      rows.filter((row) => row.seriesId === seriesId && row.labels['commit'] === labels['commit']).length === 1
    if (isAlone) this.facts.push(...factsOfGate(`uploads/${uploadId}/gate`, id, gate))
    const share = await this.#make(`${this.api}/shares`, { name: 'Run', kind: 'run', sides: [[id]] })
    await this.#page(new URL(share, this.origin).pathname)
    const metric = metrics.find((one) => ['p99', 'mean'].includes(one.id) && one.read(newest.figures) !== null)
    if (metric === undefined || !isAlone) return
    const badge = await this.#make(`${this.api}/series/${seriesId}/badges`, { metric: metric.id, label: 'Newest' })
    const svg = await this.#text(new URL(badge, this.origin).pathname)
    const text = /<title>Newest: ([^<]*)<\/title>/.exec(svg)?.[1] ?? ''
    const { key, value } = figureFact(id, metric, metric.read(newest.figures))
    this.facts.push({ surface: 'badge', key, part: 'value', value, text: plain(text), tone: null, column: null })
  }

  async #make(path: string, wanted: unknown): Promise<string> {
    const answer = await fetch(`${this.origin}${path}`, { method: 'POST', body: JSON.stringify(wanted) })
    return z.looseObject({ url: z.string() }).parse(await answer.json()).url
  }

  /** Pages and files that pages and alerts link to. */
  async #comparisons(): Promise<void> {
    const linked = this.links.map(({ sides }) => writeSides(sides))
    const found = this.changes.map(({ sides }) => sides)
    for (const sides of [...new Set([...found, ...linked])].slice(0, maxFollowed)) {
      const html = await this.#page(`${this.#path}/compare/${sides}`)
      const data = await this.#json(comparisonDataSchema, `${this.api}/compare/${sides}/data.json`)
      this.facts.push(...factsOfComparison(`compare/${sides}/data.json`, data))
      this.#compared = [...this.#compared, data.sides.map(({ runIds }) => runIds)]
      if (sides.includes('...')) await this.#why(sides)
      const markdown = plain(await this.#text(`${this.api}/compare/${sides}/table.md`))
      const key = factKey('headline', 'comparison', writeSides(data.sides.map(({ runIds }) => runIds)))
      const value = { sentence: data.sentence }
      const surface = `compare/${sides}/table.md`
      this.facts.push({ surface, key, part: 'sentence', value, text: markdown, tone: null, column: null })
      if (!plain(html).includes(plain(data.sentence)))
        this.facts.push({ surface, key, part: 'sentence', value, text: 'not on its page', tone: null, column: null })
    }
  }

  /** What the difference stands with: on its page, in the API, as Markdown. */
  async #why(sides: string): Promise<void> {
    const path = `/compare/${sides}/why`
    await this.#page(`${this.#path}${path}`)
    const { sentence, base, head } = await this.#json(whyAnswer, `${this.api}${path}`)
    const fact = headlineFact('why', writeSides([base, head]), sentence)
    this.facts.push(said(path, fact, 'sentence'))
    const markdown = (await this.#text(`${this.api}${path}.md`)).split('\n')[0] ?? ''
    this.facts.push(
      said(
        `${path}.md`,
        headlineFact('why', writeSides([base, head]), markdown.replaceAll(/\*\*|\.\*\*$|\\/g, '').replace(/\.$/, '')),
        'sentence',
      ),
    )
  }

  #count(surface: string, what: string, value: number): void {
    this.facts.push({
      ...{ surface, key: factKey('count', this.slug, what), part: 'value' },
      ...{ value: { value }, text: null, tone: null, column: null },
    })
  }

  async #page(path: string): Promise<string> {
    const html = await this.#text(path)
    const { facts, links } = readPage(path, html)
    this.facts.push(...facts)
    this.links.push(...links)
    return html
  }

  async #json<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    return schema.parse(JSON.parse(await this.#text(path)))
  }

  async #text(path: string): Promise<string> {
    this.surfaces += 1
    const answer = await fetch(`${this.origin}${path}`, { headers: { accept: 'text/html, */*' } })
    const text = await answer.text()
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
}
