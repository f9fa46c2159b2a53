import { formatBytes, formatDay, formatMoment, plural } from '@/lib/format'
import type { KnownName, KnownNames } from '@/lib/history/run-list'
import type { UploadDetail, UploadSummary } from '@/lib/history/stored-uploads'
import { tools } from '@/lib/run/tools'
import { joinWords } from '@/lib/text'
import { preparePreview, previewColumns, type PreviewColumn, type PreviewRun } from '../draft/prepare-preview'
import { formOf, inputTime, withLabel, type NameField, type RunForm } from '../draft/preview-edits'
import { inputTimeOf, splitByPattern, type readPattern } from './name-pattern'

/** A draft of several that were sent together, with an earlier upload of the same bytes. */
export interface SentDraft {
  readonly upload: UploadDetail
  readonly savedBefore: Pick<UploadSummary, 'name' | 'createdAt'> | null
}

/** A run of one of several files. Its index is its place in the table. */
export interface ManyRun {
  /** Unique, and the same while other files are saved. */
  readonly key: string
  readonly uploadId: string
  readonly fileName: string
  readonly run: PreviewRun
  /** Why it is left out unless chosen; null: it is not. */
  readonly already: string | null
}

export interface Many {
  readonly runs: readonly ManyRun[]
  readonly columns: readonly PreviewColumn[]
  /** `hey · 31.8 kB · 2 files without results`. */
  readonly about: readonly string[]
  /** Files without a run: their own pages say why. */
  readonly empty: readonly { readonly uploadId: string; readonly name: string }[]
}

/** The runs of several files as one table, in the order of the files. Pure. */
export function prepareMany(drafts: readonly SentDraft[]): Many {
  const found = drafts.flatMap(({ upload, savedBefore }) =>
    preparePreview(upload, new Set()).map((run, at) => ({
      upload,
      savedBefore,
      imported: upload.draftRuns[at],
      run,
      key: `${upload.id} ${at}`,
    })),
  )
  const runs = found.map(({ upload, savedBefore, run, key }, index) => ({
    key,
    uploadId: upload.id,
    fileName: upload.name,
    run: { ...run, index, place: null },
    already:
      savedBefore && `already here: the same bytes as ${savedBefore.name} of ${formatDay(savedBefore.createdAt)}`,
  }))
  const imported = found.flatMap((one) => one.imported ?? [])
  const named = [...new Set(imported.map(({ tool }) => tools[tool].name))]
  const sizeBytes = drafts.reduce((sum, { upload }) => sum + upload.sizeBytes, 0)
  const partial = drafts.filter(({ upload }) => upload.draftRuns.length > 0 && upload.problems.some(isLoss)).length
  return {
    runs,
    columns: previewColumns(imported),
    about: [
      joinWords(named, 'and'),
      formatBytes(sizeBytes),
      partial === 0 ? 'every result parsed' : `problems in ${plural(partial, 'file')}`,
    ],
    empty: drafts
      .filter(({ upload }) => upload.draftRuns.length === 0)
      .map(({ upload }) => ({ uploadId: upload.id, name: upload.name })),
  }
}

const isLoss = ({ severity }: UploadDetail['problems'][number]): boolean => severity !== 'info'

/** What a file's name says of a run: as written, and as the project knows it. */
export interface NamedRun {
  readonly written: Readonly<Partial<Record<string, string>>>
  readonly form: Partial<RunForm>
}

/** What a name says by a pattern; null: it does not fit. */
export function nameRun(
  pattern: NonNullable<ReturnType<typeof readPattern>>,
  { fileName, run }: ManyRun,
  known: KnownNames | null,
): NamedRun | null {
  const parts = splitByPattern(pattern, fileName)
  if (parts === null) return null
  let form: Partial<RunForm> = {}
  const written: Record<string, string> = {}
  for (const { text, field } of parts) {
    if (field === null) continue
    written[field] = text
    if (field === 'date') form = { ...form, startedAt: inputTimeOf(text) ?? '' }
    else if (isName(field)) form = { ...form, [field]: knownName(text, known?.[`${field}s`] ?? [])?.name ?? text }
    else form = { ...form, labels: withLabel({ ...formOf(run), ...form }, field, text).labels }
  }
  return { written, form }
}

const isName = (field: string): field is NameField =>
  field === 'scenario' || field === 'variant' || field === 'environment'

/** The name that a project knows for a word of a file's name: itself, or the only one that ends in it (`GET /ping`). */
function knownName(word: string, known: readonly KnownName[]): KnownName | null {
  const same = known.find(({ name }) => name === word)
  if (same !== undefined) return same
  const lower = word.toLowerCase()
  const ending = known.filter(
    ({ name }) => /[^a-z0-9]/i.test(name.at(-1 - word.length) ?? '') && name.toLowerCase().endsWith(lower),
  )
  return (ending.length === 1 ? ending[0] : undefined) ?? null
}

/** What was decided about each run by hand, by its key. */
export type Typed = Readonly<Record<string, Partial<RunForm>>>

/** The form of each run: as found, by the time of its file, by its name, and by hand, the later ones first. */
export function manyForms(
  runs: readonly ManyRun[],
  named: readonly (NamedRun | null)[],
  typed: Typed,
  fileTime: (run: ManyRun) => string | null,
): readonly RunForm[] {
  return runs.map((one, at) => {
    const found = formOf(one.run)
    const startedAt = found.startedAt || inputTime(fileTime(one))
    return { ...found, startedAt, include: one.already === null, ...named[at]?.form, ...typed[one.key] }
  })
}

/** What a run's file says by its name, and what was decided by hand. */
interface Said {
  readonly named: NamedRun | null
  readonly typed: Partial<RunForm>
}

/** Where a name comes from; empty: from the name of the file, as most do. */
export function manySource(one: ManyRun, { named, typed }: Said, field: NameField): string {
  const written = named?.written[field]
  if (typed[field] !== undefined)
    return written === undefined || written === typed[field] ? 'typed' : `typed; the name says ${written}`
  if (written !== undefined) return ''
  const source = one.run.sources[field] ?? ''
  return source === 'file name' ? '' : source
}

/** When a run began, and where that comes from unless a name or a document says it. */
export function manyDate(one: ManyRun, { named, typed }: Said, form: RunForm) {
  if (form.startedAt === '') return { text: '–', source: 'unknown' }
  const isDay = form.startedAt.endsWith('T00:00')
  const text = isDay ? formatDay(form.startedAt) : formatMoment(form.startedAt)
  if (typed.startedAt !== undefined) return { text, source: 'typed' }
  return { text, source: named?.form.startedAt === undefined && one.run.startedAt === null ? 'file time' : '' }
}

/** How words of the files' names are called in the project: those that it knows otherwise, and those as written. */
export function nameMap(named: readonly (NamedRun | null)[], known: KnownNames | null) {
  const fields = ['scenario', 'variant', 'environment'] as const
  const pairs = fields.flatMap((field) => {
    const words = [...new Set(named.flatMap((one) => one?.written[field] ?? []))]
    return words.map((word) => ({ word, known: knownName(word, known?.[`${field}s`] ?? []) }))
  })
  return {
    renamed: pairs.flatMap((one) =>
      one.known !== null && one.known.name !== one.word ? [{ word: one.word, known: one.known }] : [],
    ),
    same: pairs.flatMap((one) => (one.known?.name === one.word ? [one.word] : [])),
  }
}
