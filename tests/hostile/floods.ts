import { many, packed, type Attack } from './attack'
import {
  foreignTable,
  hdrplotTable,
  heyHead,
  heyReport,
  hgrmTable,
  histTable,
  lambdaReport,
  lambdaTable,
  requestId,
  streamReport,
  vegetaHead,
  vegetaJson,
  vegetaJsonRow,
  vegetaReport,
  vegetaRow,
  wrk2Head,
  wrkHead,
  wrkReport,
} from './texts'

const heads = 300_000
/** As many runs as an upload may have, and one more, which is refused. */
const allowed = 10_000

/** Valid bytes, but too many: 10 to 30 MB, or the maximum number of runs. */
export const floods: readonly Attack[] = [
  { name: '300,000 heads of hey', make: () => many(heads, heyHead) },
  { name: '300,000 heads of vegeta', make: () => many(heads, vegetaHead) },
  { name: '300,000 heads of wrk', make: () => many(heads, wrkHead) },
  { name: '300,000 heads of wrk2', make: () => many(heads, wrk2Head) },
  // The reader sees each as a separate report, and refuses it for what it lacks.
  { name: '1,000,000 heads of hey', make: () => many(1_000_000, heyHead), maxSeconds: 10 },
  { name: '1,000,000 heads of vegeta', make: () => many(1_000_000, vegetaHead) },
  { name: '1,000,000 heads of wrk', make: () => many(1_000_000, wrkHead) },
  { name: '1,000,000 heads of wrk2', make: () => many(1_000_000, wrk2Head) },
  { name: '120,000 reports of hey', make: () => many(120_000, heyReport) },
  { name: '60,000 reports of vegeta', make: () => many(60_000, vegetaReport), isQuick: true },
  { name: '80,000 reports of wrk', make: () => many(80_000, wrkReport) },
  { name: '10,000 reports of hey', make: () => many(allowed, heyReport) },
  { name: '10,000 reports of vegeta', make: () => many(allowed, vegetaReport) },
  { name: '10,000 reports of wrk', make: () => many(allowed, wrkReport) },
  { name: '10,000 rows of Lambda figures', make: () => many(allowed, lambdaTable) },
  { name: '200,000 REPORT lines', make: () => many(200_000, lambdaReport) },
  { name: '200,000 REPORT lines of as many functions', make: () => many(120_000, streamReport), isQuick: true },
  {
    name: '200,000 REPORT lines between lines of an application',
    make: () => many(200_000, (index) => `hello\n${lambdaReport(index)}`),
  },
  {
    name: '200,000 requests that never end',
    make: () => many(200_000, (index) => `START RequestId: ${requestId(index)} Version: $LATEST\n`),
  },
  { name: '300,000 tables of Lambda figures', make: () => many(heads, lambdaTable), isQuick: true },
  { name: '300,000 tables of other figures', make: () => many(heads, foreignTable) },
  { name: '300,000 histograms of vegeta', make: () => many(heads, histTable) },
  { name: '200,000 percentile tables of vegeta', make: () => many(200_000, hdrplotTable) },
  { name: '60,000 percentile tables of HdrHistogram', make: () => many(60_000, hgrmTable) },
  { name: '40,000 reports of vegeta as JSON', make: () => many(40_000, vegetaJson) },
  {
    name: '300,000 headings',
    make: () => many(heads, (index) => `${'#'.repeat(1 + (index % 6))} heading ${index}\n`),
    isQuick: true,
  },
  {
    name: '10,000 headings, each above a report',
    make: () => many(allowed, (index) => `${'#'.repeat(1 + (index % 6))} heading ${index}\n${heyReport(index)}`),
  },
  {
    name: '20,000 headings above one report',
    make: () => many(20_000, (index) => `${index < 19_990 ? `## heading ${index}\n` : heyReport(index)}`),
  },
  {
    name: '300,000 items of a list',
    make: () => many(heads, (index) => `${' '.repeat(index % 40)}- item ${index}: ${index} ms\n`),
  },
  {
    name: '20,000 items above 5,000 reports',
    make: () => many(24_000, (index) => (index < 19_000 ? `- key${index}: value ${index}\n` : heyReport(index))),
  },
  { name: '300,000 fences', make: () => many(heads, () => '```\n') },
  {
    name: '300,000 commands',
    make: () => many(heads, (index) => `$ hey -n ${index} -c 5 http://127.0.0.1/${index}\n`),
  },
  {
    name: '15,000 commands above 5,000 reports',
    make: () =>
      many(20_000, (index) => (index < 15_000 ? `$ hey -n 10 http://127.0.0.1/${index}\n` : heyReport(index))),
  },
  { name: '300,000 lines of bold', make: () => many(heads, (index) => `**name ${index}**\n\n`) },
  { name: '200,000 secrets', make: () => many(200_000, (index) => `Authorization: Bearer abcdefghijklmnop${index}\n`) },
  {
    name: '300,000 targets',
    make: () => packed(many(heads, (index) => vegetaRow(index, { url: `http://127.0.0.1/${index}` }))),
    isQuick: true,
  },
  {
    name: '300,000 errors',
    make: () => packed(many(heads, (index) => vegetaRow(index, { code: 0, error: `error ${index}` }))),
  },
  { name: '65,000 status codes', make: () => packed(many(65_000, (index) => vegetaRow(index, { code: index + 100 }))) },
  {
    name: '200,000 targets as JSON',
    make: () => packed(many(200_000, (index) => vegetaJsonRow(index, `http://127.0.0.1/${index}`))),
  },
  {
    name: '200,000 attacks in one file',
    make: () => packed(many(200_000, (index) => vegetaJsonRow(index).replace('"attack":""', `"attack":"a${index}"`))),
  },
]
