/**
 * `npm run --silent corpus -- FOLDER`: runs the importers on every file that FOLDER/index.json lists, and compares the
 * result with the truth in `FILE.expected.json`: `full` must be equal; of `partial`, what is there must be equal and
 * the loss reported; `foreign` must be refused by name or read as its tool's; `reject` must be refused for its reason;
 * `optional` may be refused, but if it is read it must be equal: it is counted separately. Prints a table by format,
 * each mismatch, and which fields of the truths were not compared. Exits with 1 on a mismatch.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { storedFile } from '../../app/_server/store/folder-store'
import { nodeUnpacker } from '../../app/_server/archive/node-unpacker'
import { readUpload } from '../../importers/carriers/read-upload'
import { ImportError } from '../../lib/errors'
import { compareFile, truthSchema, type Truth } from './compare-file'
import { checkLoss, checkRefusal } from './expected-problem'
import { Fields } from './fields'
import { quoteTimestamps } from './samples'

const indexSchema = z.object({ files: z.array(z.looseObject({ file: z.string() })) })

interface Tally {
  files: number
  /** Optional files that were read and that were not; not included in `files`. */
  optionalRead: number
  optionalRefused: number
  mismatched: number
  readonly fields: Fields
}

/** What is wrong with the reading of one file (empty: nothing), and whether it was read at all. */
async function check(file: string, truth: Truth, fields: Fields): Promise<{ wrong: string[]; isRead: boolean }> {
  const stored = () => Promise.resolve(storedFile(file, statSync(file).size))
  const bytes = createReadStream(file)
  const outcome = await readUpload(bytes, nodeUnpacker(stored)).catch((error: unknown) => {
    if (error instanceof ImportError) return error
    throw error
  })
  const refused = outcome instanceof ImportError ? outcome : outcome.runs.length === 0 ? outcome.problems[0] : undefined
  return { wrong: judge(), isRead: refused === undefined }

  function judge(): string[] {
    switch (truth.expected_import) {
      case 'foreign': {
        if (truth.refusal_must_contain) return checkRefusal(refused, truth)
        // `ab-txt`, `vegeta-plot-html`: the tool's name comes before the layout.
        const tool = truth.format.split('-')[0] ?? ''
        // A tool that is supported since its sidecar was written; it must not be mistaken for another.
        if (!(outcome instanceof ImportError) && refused === undefined)
          return outcome.runs.flatMap((run) => (run.tool === tool ? [] : [`read as ${run.tool}, but it is of ${tool}`]))
        return refused?.message.toLowerCase().includes(tool)
          ? []
          : [`refused without the name of ${tool}: ${refused?.message}`]
      }
      case 'reject':
        return checkRefusal(refused, truth)
      case 'optional':
        if (refused) return []
    }
    if (outcome instanceof ImportError) return [`refused: ${outcome.message}`]
    const losses = truth.expected_import === 'partial' ? checkLoss(outcome, truth) : []
    return [...compareFile(outcome, truth, fields), ...losses]
  }
}

async function main(folder: string): Promise<boolean> {
  const index = indexSchema.parse(JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8')))
  const tallies = new Map<string, Tally>()
  const mismatches: string[] = []
  for (const { file } of index.files) {
    const sidecar = readFileSync(path.join(folder, `${file}.expected.json`), 'utf8')
    const truth = truthSchema.parse(JSON.parse(quoteTimestamps(sidecar)))
    const tally = tallies.get(truth.format) ?? {
      files: 0,
      optionalRead: 0,
      optionalRefused: 0,
      mismatched: 0,
      fields: new Fields(),
    }
    tallies.set(truth.format, tally)
    const { wrong, isRead } = await check(path.join(folder, file), truth, tally.fields).catch((error: unknown) => ({
      wrong: [`crashed: ${String(error)}`],
      isRead: false,
    }))
    if (truth.expected_import !== 'optional') tally.files += 1
    else if (isRead) tally.optionalRead += 1
    else tally.optionalRefused += 1
    if (wrong.length > 0) tally.mismatched += 1
    mismatches.push(...wrong.map((one) => `${file}: ${one}`))
  }
  print(tallies, mismatches)
  return mismatches.length === 0
}

function print(tallies: ReadonlyMap<string, Tally>, mismatches: readonly string[]): void {
  const row = (format: string, ...numbers: (number | string)[]) =>
    `${format.padEnd(24)}${numbers.map((one) => `  ${one}`.padStart(12)).join('')}`.trimEnd()
  const sorted = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))
  const sum = (of: (tally: Tally) => number) => sorted.reduce((total, [, tally]) => total + of(tally), 0)
  const lines = [
    row('format', 'files', 'fields', 'mismatched', 'optional'),
    ...sorted.map(([format, tally]) =>
      row(format, tally.files, tally.fields.compared, tally.mismatched, optionalOf(tally)),
    ),
    row(
      'all',
      sum(({ files }) => files),
      sum(({ fields }) => fields.compared),
      sum(({ mismatched }) => mismatched),
      optionalOf({
        optionalRead: sum(({ optionalRead }) => optionalRead),
        optionalRefused: sum(({ optionalRefused }) => optionalRefused),
      }),
    ),
    '',
    ...(mismatches.length > 0 ? ['Mismatches:', ...mismatches.map((one) => `  ${one}`), ''] : []),
    'In the truths, but not compared:',
    ...sorted.flatMap(([format, { fields }]) =>
      fields.ignored.size === 0 ? [] : [`  ${format}: ${[...fields.ignored].sort().join(', ')}`],
    ),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function optionalOf({ optionalRead, optionalRefused }: Pick<Tally, 'optionalRead' | 'optionalRefused'>): string {
  const parts = [
    optionalRead > 0 ? `${optionalRead} read` : '',
    optionalRefused > 0 ? `${optionalRefused} refused` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('Usage: npm run --silent corpus -- FOLDER (with index.json and FILE.expected.json)\n')
  process.exit(2)
}
process.exitCode = (await main(folder)) ? 0 : 1
