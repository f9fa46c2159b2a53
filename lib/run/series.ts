import type { Load } from './run'
import type { SeriesHistory, SeriesPoint, SeriesSummary } from './stored'
import type { Tool } from './tools'
import { formatCount, formatNumber } from '../format'

/**
 * The runs of a series that may be compared with each other: one tool under one load. A series whose load changes goes
 * on as another line, so that a change of the test is never taken for a change of what is tested.
 */
export interface SeriesLine {
  /** Stable: series id and load profile. */
  readonly key: string
  readonly series: SeriesSummary
  /** Tool and load in words: `hey · 100 connections`. */
  readonly profile: string
  /** Oldest first; never empty. */
  readonly points: readonly SeriesPoint[]
}

/** What a line is called by, without its runs. */
export type LineHead = Pick<SeriesLine, 'key' | 'series' | 'profile'>

/** Tool and load in words; runs with the same words belong to one line. */
export function loadProfile(tool: Tool, load: Load): string {
  switch (load.kind) {
    case 'open':
      return `${tool} · ${load.ratePerSecond === null ? 'open loop' : `${formatNumber(load.ratePerSecond)}/s`}`
    case 'closed':
      return `${tool} · ${load.connections === null ? 'closed loop' : `${formatCount(load.connections)} connections`}`
    case 'observed':
      return tool
  }
}

/** A series' lines, the one with the newest run first. */
export function linesOf({ points, ...series }: SeriesHistory): readonly SeriesLine[] {
  const byProfile = new Map<string, SeriesPoint[]>()
  for (const point of points) {
    const profile = loadProfile(point.tool, point.load)
    const line = byProfile.get(profile)
    if (line) line.push(point)
    else byProfile.set(profile, [point])
  }
  const newest = (line: SeriesLine): string => line.points.at(-1)?.orderedAt ?? ''
  return [...byProfile]
    .map(([profile, own]) => ({ key: `${series.id}|${profile}`, series, profile, points: own }))
    .sort((a, b) => (newest(a) < newest(b) ? 1 : newest(a) > newest(b) ? -1 : 0))
}

/**
 * Variant, environment and, where a series has several lines, the load: what distinguishes a profile from its
 * neighbours.
 */
export function lineName(line: LineHead, withProfile: boolean): string {
  const { scenario, variant, environment } = line.series
  const names = [variant, environment, withProfile ? line.profile : null].filter((name) => name !== null)
  return names.length === 0 ? scenario : names.join(' · ')
}

/** Lines by name, so that a variant keeps its colour from chart to chart whatever ran last. */
export function sortLines<Line extends LineHead>(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort((a, b) => byName.compare(lineName(a, true), lineName(b, true)))
}

/** Made once: `localeCompare` makes one for each pair. */
const byName = new Intl.Collator('en', { numeric: true })
