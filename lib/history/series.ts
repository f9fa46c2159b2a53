import type { Load } from '../run/run'
import type { SeriesHistory, SeriesPoint, SeriesSummary } from './stored-series'
import { isTool, type Tool } from '../run/tools'
import { formatCount, formatNumber } from '../format'

/**
 * The runs of a series that may be compared with each other: one tool under one load. When the load of a series
 * changes, it continues in another load profile, so that a change of the test is never taken for a change of what is
 * tested.
 */
export interface LoadProfile {
  /** Stable: series id and load profile. */
  readonly key: string
  readonly series: SeriesSummary
  /** Tool and load in words: `hey · 100 connections`. */
  readonly name: string
  /** Oldest first; never empty. */
  readonly points: readonly SeriesPoint[]
}

/** A load profile's identity, without its runs. */
export type ProfileHead = Pick<LoadProfile, 'key' | 'series' | 'name'>

/** The tool of a load profile, from its name; null: a name of an earlier version. */
export function toolOfProfile(name: string): Tool | null {
  const [first = ''] = name.split(' · ')
  return isTool(first) ? first : null
}

/** Tool and load in words; runs with equal words belong to one load profile. */
export function profileName(tool: Tool, load: Load): string {
  switch (load.kind) {
    case 'open':
      return `${tool} · ${load.ratePerSecond === null ? 'open loop' : `${formatNumber(load.ratePerSecond)}/s`}`
    case 'closed':
      return `${tool} · ${load.connections === null ? 'closed loop' : `${formatCount(load.connections)} connections`}`
    case 'observed':
    case 'unstated':
      return tool
  }
}

/** A series' load profiles, the one with the newest run first. */
export function profilesOf({ points, ...series }: SeriesHistory): readonly LoadProfile[] {
  const byName = new Map<string, SeriesPoint[]>()
  for (const point of points) {
    const name = profileName(point.tool, point.load)
    const own = byName.get(name)
    if (own) own.push(point)
    else byName.set(name, [point])
  }
  const newest = (profile: LoadProfile): string => profile.points.at(-1)?.orderedAt ?? ''
  return [...byName]
    .map(([name, own]) => ({ key: `${series.id}|${name}`, series, name, points: own }))
    .sort((a, b) => (newest(a) < newest(b) ? 1 : newest(a) > newest(b) ? -1 : 0))
}

/**
 * Variant, environment and, if a series has several load profiles, tool and load: what distinguishes a profile from its
 * neighbours.
 */
export function profileTitle(profile: ProfileHead, withLoad: boolean): string {
  const { scenario, variant, environment } = profile.series
  const names = [variant, environment, withLoad ? profile.name : null].filter((name) => name !== null)
  return names.length === 0 ? scenario : names.join(' · ')
}

/** Sorts load profiles by title, so that a variant keeps its colour from chart to chart whichever ran last. */
export function sortProfiles<Profile extends ProfileHead>(profiles: readonly Profile[]): readonly Profile[] {
  return [...profiles].sort((a, b) => collator.compare(profileTitle(a, true), profileTitle(b, true)))
}

/** Created once: `localeCompare` creates one for each pair. */
const collator = new Intl.Collator('en', { numeric: true })
