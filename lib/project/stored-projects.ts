import type { UtcIso } from '../run/run'
import type { Role } from '../viewer'
import type { ProjectSettings, Retention } from './project-settings'

/** Address of a project. `slug` is its name in URLs: lower-case letters, digits and hyphens. */
export interface ProjectAddress {
  readonly id: string
  readonly slug: string
}

/** A project as shown in lists. */
export interface ProjectSummary extends ProjectAddress, Omit<ProjectSettings, keyof Retention> {
  readonly createdAt: UtcIso
  readonly runCount: number
  /** `orderedAt` of its newest run; null when it has none. */
  readonly latestRunAt: UtcIso | null
}

/** A project as shown in the frame of every page. */
export interface ProjectName {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Address of its repository; null: unknown. */
  readonly repositoryUrl: string | null
  /** Number of alerts waiting for a person. */
  readonly openAlerts: number
  /** A channel was disabled automatically, so alerts do not reach it. */
  readonly hasDeadChannel: boolean
  /** What the viewer may do there; everything without accounts, and for owners. */
  readonly role: Role
}
