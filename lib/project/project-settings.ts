import * as z from 'zod'
import { judgedWindows } from '../run/steady-part'
import type { Described } from '../schema-of'
import { settingLimits } from './setting-limits'

const days = z.number().int().min(1).max(settingLimits.days).nullable()

/** What administrators set in a project: fields, limits and descriptions, for the API, storage and types alike. */
export const projectSettings = z.strictObject({
  name: z.string().trim().min(1).max(settingLimits.name),
  repositoryUrl: z
    .string()
    .trim()
    .max(settingLimits.repositoryUrl)
    .nullable()
    .describe('Where its commits can be viewed. Null: unknown.'),
  candidateRule: z
    .strictObject({
      label: z.string().trim().min(1).max(settingLimits.label),
      isNot: z.string().trim().max(settingLimits.labelValue),
    })
    .nullable()
    .describe('New runs whose label differs from `isNot` are candidates. Null: no rule.'),
  controlRule: z
    .strictObject({
      label: z.string().trim().min(1).max(settingLimits.label),
      is: z.string().trim().max(settingLimits.labelValue),
    })
    .nullable()
    .describe('Series of new runs whose label is `is` become controls. Null: no rule.'),
  judgedWindow: z.enum(judgedWindows).describe('Which part of the runs series are judged by.'),
  keepRawDays: days.describe('Days until raw files are removed. Null: never.'),
  keepRunsDays: days.describe('Days until runs are trashed. Null: never.'),
})
export type ProjectSettings = Described<typeof projectSettings>

/** Those of a new project. */
export const defaultSettings = {
  repositoryUrl: null,
  candidateRule: null,
  controlRule: null,
  judgedWindow: 'whole',
  keepRawDays: null,
  keepRunsDays: null,
} as const satisfies Omit<ProjectSettings, 'name'>

const retention = { keepRawDays: true, keepRunsDays: true } as const

/** How long a project keeps runs and raw files. It has an address of its own in the API. */
export const retentionSchema = projectSettings.pick(retention)
export type Retention = Described<typeof retentionSchema>

/** The settings at the address of the project itself. */
export const ownSettings = projectSettings.omit(retention)
/** What can be changed in them; absent fields stay. */
export const projectEditsSchema = ownSettings.partial()
export type ProjectEdits = Described<typeof projectEditsSchema>
