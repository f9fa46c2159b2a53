import { longestRefs } from '@/lib/judge/compare-url'
import { maxMerged } from '@/lib/merge/merge-runs'
import { z } from 'zod'
import { annotationKinds } from '@/lib/project/annotations'
import { timestampSchema } from '@/lib/run/timestamp'
import { projectSettings } from '@/lib/project/project-settings'
import { comparisonKinds } from '@/lib/project/stored-comparisons'
import { maxInBulk } from '@/lib/project/stored-trash'

const name = z.string().trim().min(1).max(200)

const labels = z
  .record(z.string().trim().min(1).max(100), z.string().trim().max(200))
  .refine((given) => Object.keys(given).length <= 50, 'at most 50 labels')

/** Zod drops a key `__proto__`: such a label would be lost silently. */
export const labelsSchema = z.preprocess((given, { issues }) => {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
    issues.push({ code: 'custom', input: given, message: 'No label can be named __proto__: give it another name' })
  return given
}, labels)

/** What can be changed in a run; absent fields stay. */
export const runEditsSchema = z.strictObject({
  scenario: name.optional(),
  variant: name.nullable().optional(),
  environment: name.nullable().optional(),
  labels: labelsSchema.optional(),
  startedAt: timestampSchema.nullable().optional(),
  notes: z.string().max(20_000).optional(),
  candidate: z.boolean().optional(),
  counted: z.boolean().nullable().optional(),
  include: z.boolean().optional(),
})

const edits = z.array(runEditsSchema).max(10_000)
/** Indices of runs of a draft to merge. */
const merge = z.array(z.number().int().nonnegative()).min(1).max(10_000)
export const saveDraftSchema = z.strictObject({ edits, merge: merge.optional() })
/** A preview of the run that merging these would create. */
export const mergeDraftSchema = z.strictObject({ edits, merge })

/** Reads a draft as samples, by a mapping that the project keeps. */
export const mapDraftSchema = z.strictObject({ mapping: z.string().min(1).max(64) })

export const slugSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'lower-case letters, digits and hyphens, at most 64')

export const createProjectSchema = z.strictObject({ name: projectSettings.shape.name, slug: slugSchema.optional() })
export const moveRunSchema = z.strictObject({ project: slugSchema })
export const cellNoteSchema = z.strictObject({
  scenario: name,
  variant: name.nullable(),
  environment: name.nullable(),
  text: z.string().trim().max(500),
})

const ids = z.array(z.string().max(40)).max(maxInBulk)

/** Runs to check for whether they can be merged, and runs to merge. */
export const mergePlanSchema = z.array(z.string().max(40)).max(maxMerged)
export const mergeRunsSchema = z.strictObject({ runs: mergePlanSchema.min(2) })

/** One change of several runs; absent fields stay. */
export const bulkSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('edit'),
    runs: ids.min(1),
    scenario: name.optional(),
    variant: name.nullable().optional(),
    environment: name.nullable().optional(),
    addLabels: labelsSchema.optional(),
    removeLabels: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
  }),
  z.strictObject({ action: z.literal('delete'), runs: ids.min(1) }),
])

/** What to do with things in the trash. */
export const trashSchema = z.strictObject({
  action: z.enum(['restore', 'destroy']),
  runs: ids.default([]),
  uploads: ids.default([]),
})

const comparisonTexts = {
  refs: z.string().max(longestRefs).optional(),
  view: z.string().max(4_000).optional(),
  notes: z.string().max(20_000).optional(),
  takeaways: z.string().max(20_000).optional(),
}

/** A comparison to save. */
export const comparisonSchema = z.strictObject({ name, kind: z.enum(comparisonKinds), ...comparisonTexts })

/** `at` absent: now, so that a deploy script need not know the time. */
export const annotationSchema = z.strictObject({
  kind: z.enum(annotationKinds),
  text: z.string().trim().min(1).max(500),
  at: timestampSchema.optional(),
  scenario: name.nullable().default(null),
})

/** A search in a project. */
export const searchSchema = z.object({
  /** Words, each of which must occur: in a run's names, labels, command or file, in a comparison's name. */
  text: name,
  limit: z.coerce.number().int().min(1).max(20).default(8),
})

/** What can be changed in a saved comparison; absent fields stay. */
export const comparisonEditsSchema = z.strictObject({ name: name.optional(), ...comparisonTexts })

/** `My Project` → `my-project`; null when nothing usable is left. */
export function slugFrom(text: string): string | null {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '')
  return slug === '' ? null : slug
}
