import type { UtcIso } from '../run/run'
import type { JudgedWindow } from '../run/steady-part'
import type { Role } from '../viewer'
import type { CandidateRule } from './candidate-rule'

/** Address of a project. `slug` is its name in URLs: lower-case letters, digits and hyphens. */
export interface ProjectAddress {
  readonly id: string
  readonly slug: string
}

/** A project as shown in lists. */
export interface ProjectSummary extends ProjectAddress {
  readonly name: string
  readonly createdAt: UtcIso
  readonly runCount: number
  /** `orderedAt` of its newest run; null when it has none. */
  readonly latestRunAt: UtcIso | null
  /** Address of its repository (lib/project/repository.ts); null: unknown. */
  readonly repositoryUrl: string | null
  /** Which of its new runs are candidates unless their upload states it; null: none. */
  readonly candidateRule: CandidateRule | null
  /** What its series are judged by: whole runs, or their steady parts if all runs have one. */
  readonly judgedWindow: JudgedWindow
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
