import { ImportError } from '../lib/errors'
import type { MappingProposal, NamedMapping } from '../lib/run/column-mapping'
import type { ImportedFile } from '../lib/run/run'
import type { Tool } from '../lib/run/tools'
import { abPercentilesCsv } from './ab/ab-percentiles-csv'
import { abText } from './ab/ab-text'
import { abTimesTsv } from './ab/ab-times-tsv'
import { autocannonJson } from './autocannon/autocannon-json'
import { autocannonText } from './autocannon/autocannon-text'
import { bombardierJson } from './bombardier/bombardier-json'
import { bombardierText } from './bombardier/bombardier-text'
import { missingCharacterProblem, prefixed, withFirstCharacter } from './carried/first-character'
import { isJsonCollection, readJsonCollection } from './json-collection'
import { isNotebook, readNotebook } from './carried/notebook'
import { bytesOf } from './carried/read-carried'
import { relocate } from './carried/relocate'
import { mendedHead, mendSpreadsheet, spreadsheetProblem } from './carried/spreadsheet'
import { readHead } from './text/bytes'
import { readDocument } from './document/document'
import { findForeignBytes } from './foreign'
import { emptyFile } from './import-problem'
import { fortioJson } from './fortio/fortio-json'
import { fortioText } from './fortio/fortio-text'
import { ghzCsv } from './ghz/ghz-csv'
import { ghzJson } from './ghz/ghz-json'
import { ghzText } from './ghz/ghz-text'
import { h2loadLog } from './h2load/h2load-log'
import { h2loadText } from './h2load/h2load-text'
import { hdrJson } from './hdr/hdr-json'
import { hdrLog } from './hdr/hdr-log'
import { hdrPercentiles } from './hdr/hdr-percentiles'
import { hdrPercentilesCsv } from './hdr/hdr-percentiles-csv'
import { hdrV2Base64 } from './hdr/hdr-v2-base64'
import { heyCsv } from './hey/hey-csv'
import { heyText } from './hey/hey-text'
import type { Bytes, Importer, RawImporter, TextImporter } from './importer'
import { jmeterCsv } from './jmeter/jmeter-csv'
import { jmeterStatistics } from './jmeter/jmeter-statistics'
import { jmeterXml } from './jmeter/jmeter-xml'
import { k6Csv } from './k6/k6-csv'
import { withoutScript } from './k6/k6-script'
import { k6Ndjson } from './k6/k6-ndjson'
import { k6Summary } from './k6/k6-summary'
import { k6Text } from './k6/k6-text'
import { lambdaInsightsCsv } from './lambda/lambda-insights-csv'
import { lambdaInsightsTable } from './lambda/lambda-insights-table'
import { lambdaJson } from './lambda/lambda-json'
import { lambdaLogFile } from './lambda/lambda-log-file'
import { lambdaReport } from './lambda/lambda-report'
import { lambdaTable } from './lambda/lambda-table'
import { locustCsv, locustHistory } from './locust/locust-csv'
import { locustJson } from './locust/locust-json'
import { locustText } from './locust/locust-text'
import { ohaCsv } from './oha/oha-csv'
import { ohaJson } from './oha/oha-json'
import { ohaText } from './oha/oha-text'
import { mappedImporter } from './mapped/import-mapped'
import { proposalHint, proposeMapping } from './mapped/propose-mapping'
import { readRaw } from './raw'
import type { Wanted } from './rows/wanted'
import { listJsonMembers } from './text/json-documents'
import { decodeHead } from './text/text-head'
import { tailboardRun } from './tailboard/tailboard-run'
import { isReorderedCsv, vegetaCsv } from './vegeta/vegeta-csv'
import { vegetaGob } from './vegeta/vegeta-gob'
import { vegetaHdrplot } from './vegeta/vegeta-hdrplot'
import { vegetaHist } from './vegeta/vegeta-hist'
import { vegetaJson } from './vegeta/vegeta-json'
import { vegetaResultsJson } from './vegeta/vegeta-results-json'
import { vegetaText } from './vegeta/vegeta-text'
import { wrkLuaJson } from './wrk/wrk-lua-json'
import { wrkText } from './wrk/wrk-text'

/** Every form that can be read, by its tool. The order does not matter: exactly one may claim a block or a file. */
const importersOf: Readonly<Record<Tool, readonly Importer[]>> = {
  hey: [heyText, heyCsv],
  vegeta: [vegetaText, vegetaJson, vegetaHist, vegetaHdrplot, vegetaGob, vegetaCsv, vegetaResultsJson],
  // One report: its contents determine which of the two printed it.
  wrk: [wrkText, wrkLuaJson],
  wrk2: [],
  oha: [ohaText, ohaJson, ohaCsv],
  k6: [k6Text, k6Summary, k6Ndjson, k6Csv],
  jmeter: [jmeterCsv, jmeterXml, jmeterStatistics],
  locust: [locustText, locustJson, locustCsv, locustHistory],
  autocannon: [autocannonJson, autocannonText],
  h2load: [h2loadText, h2loadLog],
  ab: [abText, abPercentilesCsv, abTimesTsv],
  ghz: [ghzText, ghzJson, ghzCsv],
  fortio: [fortioJson, fortioText],
  bombardier: [bombardierJson, bombardierText],
  lambda: [lambdaReport, lambdaLogFile, lambdaJson, lambdaInsightsCsv, lambdaInsightsTable, lambdaTable],
  hdr: [hdrPercentiles, hdrPercentilesCsv, hdrLog, hdrV2Base64, hdrJson],
  // Read only when a mapping is given: no file is recognised as mapped samples.
  mapped: [],
}

/** All of them, plus our own form, whose runs name their tool. */
export const importers: readonly Importer[] = [...Object.values(importersOf).flat(), tailboardRun]

/** Size of the head by which raw importers recognise a file. */
export const headBytes = 65_536

/**
 * Reads one file: as the raw form that one importer recognises by its first 64 KiB, else as a text with blocks in it;
 * with a `mapping` as samples with the columns it names, whatever they look like. Bytes may come in chunks of any size;
 * memory grows with the number of runs, not with the file.
 * @throws ImportError `empty`, `unknown-format`, `ambiguous-format`, or an importer's own when nothing can be read.
 */
export async function importFile(
  bytes: Bytes,
  mapping: NamedMapping | null = null,
  wanted?: Wanted,
): Promise<ImportedFile> {
  const { head, bytes: whole } = await readHead(bytes, headBytes)
  if (head.length === 0) throw emptyFile()
  if (mapping !== null) return readRaw(mappedImporter(mapping), whole, wanted)
  const copied = withFirstCharacter(head)
  if (copied !== null && (copied.first === '{' || beginsRows(copied.head))) {
    const file = await importFile(prefixed(copied.first, whole), null, wanted)
    return { ...file, problems: [missingCharacterProblem(copied.first), ...file.problems] }
  }
  if (isCollection(head)) return readJsonCollection(whole, isReport, (report) => importFile(report))
  const claiming = importers.filter(isRaw).filter((importer) => importer.detect(head))
  const [owner] = claiming
  if (claiming.length > 1)
    throw new ImportError('ambiguous-format', `${claiming.map(({ id }) => id).join(' and ')} claim this file`, {
      offset: 0,
      hint: 'This is a mistake in Tailboard: please report it with the file.',
    })
  if (owner !== undefined) return readRaw(owner, whole, wanted)
  const mended = mendedHead(head)
  if (mended !== null && isKnownCsv(mended)) {
    const file = await importFile(mendSpreadsheet(whole), null, wanted)
    return { ...file, problems: [...file.problems, spreadsheetProblem] }
  }
  const foreign = findForeignBytes(head)
  if (foreign !== null) throw new ImportError('unknown-format', foreign.message, { offset: 0, hint: foreign.hint })
  const texts = importers.filter(isText)
  try {
    return isNotebook(head) ? await readCells(whole, texts) : await readDocument(whole, texts)
  } catch (error) {
    throw isUnknown(error) ? withProposal(error, head) : error
  }
}

const jsonReports = importers.filter(({ isJsonReport }) => isJsonReport === true)

function isReport(start: string): boolean {
  const head = new TextEncoder().encode(start)
  const line = { number: 1, text: start.slice(0, 2_000), raw: '' }
  return jsonReports.some((importer) => (isRaw(importer) ? importer.detect(head) : importer.detect(line)))
}

/** Whether a file begins as a collection of reports; a list written by autocannon is one report. */
function isCollection(head: Uint8Array): boolean {
  if (!isJsonCollection(head, isReport)) return false
  const text = decodeHead(head, headBytes)
  if (!text.trimStart().startsWith('[')) return true
  const { members } = listJsonMembers(text, text.indexOf('['))
  const isOwn = (start: string) =>
    start.startsWith('{') && autocannonJson.detect({ number: 1, text: start.slice(0, 2_000), raw: '' })
  return !members.every(({ start, end }) => isOwn(text.slice(start, end < 0 ? undefined : end)))
}

/**
 * How a file that begins like this is stored: `rows` as sent; all else with secrets masked as in text, after leaving
 * out what the returned function leaves out.
 */
export function storedForm(head: Uint8Array): 'rows' | ((bytes: Bytes) => Bytes) {
  if (isCollection(head)) return withoutScript
  const raw = importers.filter(isRaw).find((importer) => importer.detect(head))
  return raw === undefined ? (bytes) => bytes : (raw.stored ?? 'rows')
}

/** Whether a tool's rows begin like this, as it wrote them or as a spreadsheet saved them. */
const beginsRows = (head: Uint8Array): boolean =>
  importers.some((importer) => isRaw(importer) && importer.detect(head)) || isKnownCsv(mendedHead(head) ?? head)

/** Whether a form of CSV begins like this: those of raw files, and the one that is also found in texts. */
function isKnownCsv(head: Uint8Array): boolean {
  const [text = ''] = decodeHead(head, 4_000).split('\n', 1)
  return (
    hdrPercentilesCsv.detect({ number: 1, text, raw: text }) ||
    importers.some((importer) => isRaw(importer) && importer.id.endsWith('-csv') && importer.detect(head))
  )
}

/** Reads a notebook as the document that it shows; line numbers are those of its file. */
async function readCells(bytes: Bytes, texts: readonly TextImporter[]): Promise<ImportedFile> {
  const notebook = await readNotebook(bytes)
  const file = await readDocument(bytesOf(notebook.text), texts)
  return { ...relocate(file, notebook), lineCount: notebook.lineCount }
}

/** Nothing was found in it, not even the name of another tool. */
const isUnknown = (error: unknown): error is ImportError =>
  error instanceof ImportError && error.code === 'unknown-format' && error.line === null && error.offset === null

/** How a file that no importer knows may be read as samples, by its first 64 KiB; null: another tool's, or no table. */
export const proposeFor = (head: Uint8Array): MappingProposal | null =>
  findForeignBytes(head) === null ? proposeMapping(head) : null

/** A table of numbers may be a user's own samples: the hint explains how to read them. */
function withProposal(error: ImportError, head: Uint8Array): ImportError {
  const proposal = proposeFor(head)
  if (proposal === null) return error
  const hint = proposalHint(proposal)
  return isReorderedCsv(head)
    ? new ImportError(error.code, "this is vegeta's CSV, but its columns are not in vegeta's order", { hint })
    : new ImportError(error.code, error.message, { hint })
}

function isRaw(importer: Importer): importer is RawImporter {
  return importer.kind === 'raw'
}

function isText(importer: Importer): importer is TextImporter {
  return importer.kind === 'text'
}
