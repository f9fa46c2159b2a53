/**
 * `node --import tsx tests/bench/projects.ts SEED FOLDER`: projects whose series, environments and commits move, in
 * the form that `npm run predict-projects` reads (projects.jsonl), with what is right to say of them (labels.json).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomFrom } from '../fuzz/random'
import { families } from './noisy-series'

/** A move of series: by how much at which night; `until`: the first night after it. */
interface Move {
  readonly kind: 'environment' | 'commit' | 'drift' | 'blip' | 'control'
  readonly factor: number
  readonly series: readonly number[]
  readonly from: number
  readonly until?: number
  readonly say: readonly string[]
}

/** Who commits: all series one repository, each its own, none for the time of the move, or all at its first night. */
type Commits = 'shared' | 'own' | 'unchanged' | 'same-night'

interface Plan {
  readonly kind: string
  readonly moves: readonly Move[]
  readonly hasControl?: boolean
  readonly commits?: Commits
  /** Nights between runs. */
  readonly period?: number
}

interface Labelled {
  readonly project: object
  readonly label: object
}

const nights = 100
const others = ['normal', 't3', 'autocorrelated30', 'autocorrelated60'] as const
const ofNothing = {
  normal: 'normal',
  'ar.8': 'autocorrelated80',
  'two-mode': 'stickyModes',
  bursts: 'bursts',
  wander: 'wandering',
}

/** All projects of a seed: 16 kinds with moves, four times each, and four of nothing for each of five noises. */
export function labelledProjects(seed: number): readonly Labelled[] {
  const maker = new Maker(seed)
  const moved = [0, 1, 2, 3].flatMap(() => maker.plans().map((plan) => maker.project(plan, null)))
  const nothing = Object.entries(ofNothing).flatMap(([noise, family]) =>
    [0, 1, 2, 3].map(() => maker.project({ kind: 'nothing', moves: [] }, { noise, family })),
  )
  return [...moved, ...nothing]
}

class Maker {
  readonly #random: () => number
  #count = 0

  constructor(seed: number) {
    this.#random = randomFrom(seed * 104_729 + 17)
  }

  #normal = () => Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random())
  #between = (low: number, high: number) => low + (high - low) * this.#random()
  #whole = (low: number, high: number) => Math.floor(this.#between(low, high + 1))
  #hex = () =>
    Math.floor(this.#random() * 16 ** 7)
      .toString(16)
      .padStart(7, '0')

  plans(): readonly Plan[] {
    const count = this.#whole(4, 7)
    const all = Array.from({ length: count }, (_, at) => at)
    const at = this.#whole(35, 55)
    const shift = this.#random() < 0.8 ? this.#between(1.25, 3) : 1 / this.#between(1.25, 2)
    const step = this.#random() < 0.8 ? this.#between(1.15, 1.5) : 1 / this.#between(1.15, 1.4)
    const machine = (say = 'environment', more: Partial<Move> = {}): Move => {
      return { kind: 'environment', factor: shift, series: all, from: at, say: [say], ...more }
    }
    const commit = (series: readonly number[], from: number, say = 'commit'): Move => {
      return { kind: 'commit', factor: step, series, from, say: [say] }
    }
    const blip = (series: readonly number[], length: number): Move => {
      return { kind: 'blip', factor: this.#between(1.25, 1.7), series, from: at, until: at + length, say: [] }
    }
    const creep = (series: readonly number[]): Move => {
      return { kind: 'drift', factor: this.#between(1.25, 1.45), series, from: 20, until: 80, say: ['drift'] }
    }
    const one = [all.length - 1]
    return [
      { kind: 'machine-control', moves: [machine()], hasControl: true },
      { kind: 'machine-unchanged', moves: [machine()], commits: 'unchanged' },
      { kind: 'machine-own-repositories', moves: [machine()], commits: 'own' },
      { kind: 'machine-same-commit', moves: [machine('commit-or-machine')], commits: 'same-night' },
      { kind: 'machine-back', moves: [machine('environment', { until: at + 15 })], hasControl: true },
      { kind: 'cadence', moves: [machine()], hasControl: true, period: 2 },
      { kind: 'planted-before', moves: [commit(one, at - 20), machine()], hasControl: true },
      { kind: 'planted-after', moves: [machine(), commit(one, at + 20)], hasControl: true },
      { kind: 'commit-one', moves: [commit(one, at)] },
      { kind: 'commit-some', moves: [commit(one.concat(all.length - 2), at)] },
      { kind: 'commit-all', moves: [commit(all, at, 'commit-or-machine')], commits: 'same-night' },
      { kind: 'commit-all-control', moves: [commit(all.slice(1), at)], hasControl: true, commits: 'same-night' },
      { kind: 'creep-one', moves: [creep(one)] },
      { kind: 'blip-one', moves: [blip(one, 2)] },
      { kind: 'blip-all', moves: [blip(all, 3)] },
      { kind: 'control-alone', moves: [{ ...machine('control'), kind: 'control', series: [0] }], hasControl: true },
    ]
  }

  project(plan: Plan, nothing: { readonly noise: string; readonly family: string } | null): Labelled {
    const name = `q${String((this.#count += 1)).padStart(3, '0')}`
    const used = plan.moves.flatMap(({ series }) => series)
    const count = Math.max(4, ...used.map((at) => at + 1))
    const series = Array.from({ length: count }, (_, at) => {
      const family = nothing?.family ?? others[this.#whole(0, others.length - 1)] ?? 'normal'
      return {
        ...{ id: `s${at + 1}`, environment: 'e1', control: plan.hasControl === true && at === 0 },
        level: Math.exp(this.#between(1, 6)),
        noise: families[family]?.(this.#between(0.012, 0.05), this.#random, this.#normal) ?? (() => 1),
        answer: this.#between(0.8, 1.2),
      }
    })
    const sharedNoise = plan.moves.length > 0 && this.#random() < 0.67 ? 0.01 : 0
    const runs: [number, string, string, number][] = []
    const heads = series.map(() => this.#hex())
    const guilty: Record<string, string>[] = plan.moves.map(() => ({}))
    const first: Record<string, number>[] = plan.moves.map(() => ({}))
    const ends: Record<string, number>[] = plan.moves.map(() => ({}))
    for (let night = 0; night < nights; night += plan.period ?? 1) {
      const together = Math.exp(sharedNoise * this.#normal())
      this.#commit(plan, heads, night)
      const order = series
        .map((one, at) => ({ one, at, time: night * 86_400 + this.#whole(0, 14_000) }))
        .sort((a, b) => a.time - b.time)
      for (const { one, at, time } of order) {
        const commit = one.control ? 'pinned' : (heads[at] ?? '')
        let value = one.level * together * one.noise()
        plan.moves.forEach((move, index) => {
          if (!move.series.includes(at)) return
          value *= factorAt(move, night, move.kind === 'environment' ? one.answer : 1)
          if (night >= move.from && first[index]?.[one.id] === undefined) {
            Object.assign(first[index] ?? {}, { [one.id]: runs.length })
            Object.assign(guilty[index] ?? {}, { [one.id]: commit })
          }
          if (move.until !== undefined && night >= move.until && ends[index]?.[one.id] === undefined)
            Object.assign(ends[index] ?? {}, { [one.id]: runs.length })
        })
        runs.push([1_767_225_600 + time, one.id, commit, Number(value.toPrecision(5))])
      }
    }
    const events = plan.moves.map(({ kind, factor, say, from, until }, index) => ({
      ...{ kind, environment: kind === 'commit' ? null : 'e1', factor, first: first[index], say },
      ...(kind === 'blip' ? { runs: (until ?? from) - from } : {}),
      ...(kind === 'environment' && until !== undefined ? { ends: ends[index] } : {}),
      ...(kind === 'drift' ? { ends: ends[index] } : {}),
      ...(kind === 'commit' ? { commit: guilty[index] } : {}),
    }))
    const places = series.map(({ id, environment, control }) => ({ id, environment, control }))
    return {
      project: { project: name, series: places, runs },
      label: { [name]: { kind: plan.kind, noise: nothing?.noise ?? 'mixed', events, n: runs.length } },
    }
  }

  /** New heads of the repositories this night: one of all series, or one of each; where a commit moves, surely. */
  #commit({ moves, commits = 'shared' }: Plan, heads: string[], night: number): void {
    const near = moves.some(({ from }) => Math.abs(night - from) <= 6)
    if (commits === 'unchanged' && near) return
    const starts = moves.filter(({ from, kind }) => from === night && (kind === 'commit' || commits === 'same-night'))
    if (commits === 'own') heads.forEach((_, at) => (this.#random() < 0.3 ? (heads[at] = this.#hex()) : null))
    else if (starts.length > 0 || (this.#random() < 0.4 && !(commits === 'same-night' && near))) heads.fill(this.#hex())
  }
}

function factorAt({ kind, factor, from, until = Infinity }: Move, night: number, answer: number): number {
  if (night < from) return 1
  if (kind === 'drift') return factor ** Math.min(1, (night - from) / (until - from))
  return night < until ? factor ** answer : 1
}

const [seed = '1', folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node --import tsx tests/bench/projects.ts SEED FOLDER')
mkdirSync(folder, { recursive: true })
const all = labelledProjects(Number(seed))
writeFileSync(path.join(folder, 'projects.jsonl'), all.map(({ project }) => `${JSON.stringify(project)}\n`).join(''))
writeFileSync(path.join(folder, 'labels.json'), JSON.stringify(Object.assign({}, ...all.map(({ label }) => label))))
