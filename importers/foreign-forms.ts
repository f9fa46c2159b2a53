/**
 * The forms that are known but not imported: how to recognise each cheaply and certainly, and what to do instead. For a
 * tool that is read, only the forms that its importers do not read belong here.
 */

/** How a line shows a form: by its start; `holds`: anywhere in it, if it contains this part. */
export type ForeignSign =
  | {
      readonly pattern: RegExp
      /** The line before it (ignoring empty ones) must match too. */
      readonly after?: RegExp
    }
  | { readonly holds: string; readonly pattern: RegExp }

export interface ForeignForm {
  /**
   * other-tool: results of a tool, or a form of them, that is not imported. no-results: a message. not-read-yet: a form
   * without importer. not-alone: rows of results, which are only read from a file of their own.
   */
  readonly kind: 'other-tool' | 'no-results' | 'not-read-yet' | 'not-alone'
  /** Name of the tool, or of the form: `siege`, `a list of vegeta results (CSV)`. Several entries may share one. */
  readonly name: string
  readonly signs: readonly ForeignSign[]
  /** What to do instead, one sentence; absent: the default for its kind. */
  readonly instead?: string
}

const starts = (...patterns: readonly RegExp[]): readonly ForeignSign[] => patterns.map((pattern) => ({ pattern }))

const benchmark = 'It times a function or a command, not requests: there is no run of a load test in it.'

/** Tools whose results are not read, in any form. */
const otherTools: readonly ForeignForm[] = [
  {
    kind: 'other-tool',
    name: 'JMeter (what it prints while it runs)',
    signs: [
      { pattern: /^summary [+=]\s+\d+ in / },
      // The same in jmeter.log.
      { holds: 'Summariser: ', pattern: /\bSummariser: \S{1,40} {1,20}[+=] {1,20}\d{1,15} in / },
    ],
    instead: 'Upload its results: the .jtl that -l writes.',
  },
  {
    kind: 'other-tool',
    name: 'Gatling',
    signs: [
      { pattern: /^---- Global Information -{10,}/ },
      { pattern: /^(?:> )?request count\s+\d+ \(OK=/ },
      { holds: '<title>Gatling', pattern: /<title>Gatling Stats - / },
      // js/stats.js, js/global_stats.json, and assertions as JSON.
      { pattern: /^\s*"?numberOfRequests"?: *\{/ },
      { pattern: /^\s*type: "GROUP",$/, after: /^\s*(?:var stats = \{|contents: \{|"?\S+": \{)$/ },
    ],
  },
  {
    kind: 'other-tool',
    name: 'Gatling before 3.13 (its simulation.log)',
    signs: starts(/^RUN\t\S+\t\S*\t.*\t[23]\.\d/),
  },
  {
    kind: 'other-tool',
    name: 'siege',
    signs: starts(
      /^Lifting the server siege/,
      /^Transactions:\s+\d+ hits\s*$/,
      /^\{?\s*"(?:transaction_rate|longest_transaction)":\s+[\d.]+,?\s*$/,
      /^\{\s*"transactions":\s+\d+,\s*$/,
    ),
  },
  {
    kind: 'other-tool',
    name: 'Artillery',
    signs: [
      {
        pattern:
          /^(?:Summary report @ \d|Metrics for period to: \d|http\.(?:response_time|request_rate|codes\.\d{3}): ?)/,
      },
      { pattern: /^\s*"(?:vusers\.created(?:_by_name\.[^"]{1,200})?|http\.requests|http\.codes\.\d{3})": *\d/ },
      { holds: '"counters":{', pattern: /"counters":\{"(?:vusers|http)\.[^"]{1,200}":\d/ },
    ],
  },
  {
    kind: 'other-tool',
    name: 'plow',
    signs: [
      { pattern: /^\s*Elapsed\s+[\d.]+(?:ns|[µum]?s|m[\d.]+s)\s*$/, after: /^\s*Summary:\s*$/ },
      { pattern: /^\s*Statistics\s+Min\s+Mean\s+StdDev\s+Max\s*$/ },
      { pattern: /^\s*"Elapsed": *"[^"]{1,20}",?\s*$/, after: /^\s*"Summary": *\{\s*$/ },
      { pattern: /^\{"Summary": *\{"Elapsed": *"/ },
    ],
  },
  {
    kind: 'other-tool',
    name: 'rewrk',
    signs: [
      { pattern: /^Benchmarking \d+ connections @ \S+ for / },
      { pattern: /^\|\s+Percentile\s+\|\s+Avg Latency\s+\|$/ },
      { holds: '"latency_std_deviation"', pattern: /"latency_std_deviation": *[\d.]/ },
    ],
  },
  {
    kind: 'other-tool',
    name: 'weighttp',
    signs: starts(/^weighttp - a lightweight/, /^traffic: \d+ bytes total, \d+ bytes http, /),
    instead: 'Upload the output of h2load --h1 instead.',
  },
  { kind: 'other-tool', name: 'Nighthawk', signs: starts(/^Nighthawk - A layer 7 protocol benchmarking tool/) },
  { kind: 'other-tool', name: 'YCSB', signs: starts(/^\[OVERALL\], (?:RunTime|Throughput)\(/) },
  { kind: 'other-tool', name: 'pgbench', signs: starts(/^pgbench \(/) },
  { kind: 'other-tool', name: 'sysbench', signs: starts(/^sysbench \d+\.\d+\.\d+/) },
]

/** Forms that are not read, of tools that are read in another form. */
const otherForms: readonly ForeignForm[] = [
  {
    kind: 'not-read-yet',
    name: "k6's web dashboard",
    signs: [{ holds: '<title>', pattern: /<title>(?:k6 report|K6 Load Test: )/ }],
    instead: 'Upload what k6 writes with --out json=FILE, --out csv=FILE or --summary-export=FILE.',
  },
  {
    kind: 'not-read-yet',
    name: "JMeter's dashboard",
    signs: [{ holds: '<title>Apache', pattern: /<title>Apache JMeter Dashboard/ }],
    instead: 'Upload the .jtl file that it was made of (jmeter -l FILE), or its statistics.json.',
  },
  {
    kind: 'not-read-yet',
    name: "Locust's page",
    signs: [{ holds: '<title>', pattern: /<title>(?:Test Report for |Locust)/ }],
    instead: 'Upload what locust prints with --json, or the _stats.csv of --csv.',
  },
  {
    kind: 'not-read-yet',
    name: 'a list of failures or exceptions of Locust',
    signs: starts(/^"?Method"?,"?Name"?,"?Error"?,"?Occurrences"?/, /^"?Count"?,"?Message"?,"?Traceback"?,"?Nodes"?/),
    instead: 'It counts no requests: upload the _stats.csv beside it, or what locust prints with --json.',
  },
  {
    kind: 'not-read-yet',
    name: "Locust's table of early versions",
    signs: starts(/^\s*Name\s{1,200}# reqs\s{1,40}# fails\s{1,40}\|?\s{0,40}Avg\s/),
    instead: 'Upload the _stats.csv that locust writes with --csv.',
  },
  {
    kind: 'not-read-yet',
    name: "Locust's table in one line",
    signs: starts(/^\s*Type\s{1,40}Name\s{1,200}# reqs\s{1,40}# fails\s{1,20}\|.{1,120}failures\/s\s{0,20}-{4}/),
    instead: 'Its line ends are lost: upload the _stats.csv that --csv writes, or what locust prints with --json.',
  },
  {
    kind: 'not-read-yet',
    name: "autocannon's table of early versions",
    signs: [{ pattern: /^\s*Latency \(ms\)\s+[\d.]/, after: /^\s*Stat\s+Avg\s/ }],
    instead: 'Upload what autocannon prints with -j.',
  },
  {
    kind: 'not-read-yet',
    name: "wrk's report in one line",
    signs: [
      {
        holds: ' threads and ',
        pattern: /Running \d{1,9}[smh] test @ \S{1,2000} \d{1,6} threads and \d{1,9} connections .{1,1900}/,
      },
    ],
    instead: 'Its line ends are lost: upload the output as it was printed.',
  },
  {
    kind: 'not-read-yet',
    name: "the end of wrk2's output",
    signs: [
      {
        pattern: /^\s*\d{1,15} requests in [\d.]{1,12}\w{1,2}, [\d.]{1,12}[KMGTP]?B read\s*$/,
        after: /^\s*-{20,}\s*$/,
      },
    ],
    instead: 'Its beginning is missing: upload the whole output, from "Running" on.',
  },
  {
    kind: 'not-read-yet',
    name: "ghz's page",
    signs: [{ holds: '<title>ghz', pattern: /<title>ghz<\/title>/ }],
    instead: 'Upload what ghz writes with -O json or -O csv.',
  },
  {
    kind: 'not-read-yet',
    name: "ghz's output for InfluxDB",
    signs: starts(/^ghz_(?:run|detail),\S/),
    instead: 'Upload what ghz writes with -O json or -O csv.',
  },
  {
    kind: 'not-read-yet',
    name: "ghz's output for Prometheus",
    signs: starts(/^# (?:TYPE|HELP) ghz_run_/),
    instead: 'Upload what ghz writes with -O json or -O csv.',
  },
  {
    kind: 'not-read-yet',
    name: "ApacheBench's page (ab -w)",
    signs: [
      { pattern: /^\s*This is ApacheBench, Version \S+ <i>/ },
      { holds: 'Server Software:</th>', pattern: /<tr ?><th [^>]{0,60}>Server Software:<\/th>/ },
    ],
    instead: 'Run ab without -w and upload what it prints.',
  },
]

/** What they measure is not requests of a load test. */
const notLoadTests: readonly ForeignForm[] = [
  {
    kind: 'other-tool',
    name: 'hyperfine',
    signs: [
      { pattern: /^\s*Time \(mean ± σ\):\s|^\s*Time \(abs ≡\):\s/ },
      { pattern: /^command,mean,stddev,median,user,system,min,max/ },
      { pattern: /^\| Command \| Mean \[m?s\] \|/ },
      { pattern: /^\s*"mean": *[\d.e-]+,\s*$/, after: /^\s*"command": *"/ },
      { pattern: /^\{"results":\[\{"command":"/ },
    ],
    instead: benchmark,
  },
  {
    kind: 'other-tool',
    name: 'Go benchmarks (go test)',
    signs: starts(
      /^goos: [a-z0-9]+\s*$/,
      /^Benchmark\w\S*\s+\d+\s+[\d.]+ ns\/op/,
      /^\{"Time":"[^"]{1,40}","Action":"(?:start|run|output|pass|fail|bench)","Package":"/,
    ),
    instead: benchmark,
  },
  {
    kind: 'other-tool',
    name: 'criterion',
    signs: [
      {
        holds: ' time: ',
        pattern: / time: {1,9}\[[\d.]{1,20} [a-zµ]{1,2} [\d.]{1,20} [a-zµ]{1,2} [\d.]{1,20} [a-zµ]{1,2}\]/,
      },
      { holds: '"confidence_interval"', pattern: /"confidence_interval": ?\{ ?"confidence_level":/ },
      { pattern: /^\s*"confidence_level": *[\d.]+,\s*$/, after: /^\s*"confidence_interval": *\{\s*$/ },
    ],
    instead: benchmark,
  },
  {
    kind: 'other-tool',
    name: 'Rust benchmarks (cargo bench)',
    signs: starts(/^test \S+\s+\.\.\. bench:\s+[\d,.]+ ns\/iter/),
    instead: benchmark,
  },
  {
    kind: 'other-tool',
    name: 'vitest bench',
    signs: [
      { pattern: /^\s*"rme": *[\d.]+,\s*$/, after: /^\s*"rank": *\d+,\s*$/ },
      { holds: '"rme":', pattern: /"rank":\d{1,6},"rme":[\d.]/ },
      { pattern: /^\s*name\s+hz\s+min\s+max\s+mean\s+p75\s+p99\s+p995\s+p999\s+rme\s+samples/ },
    ],
    instead: benchmark,
  },
  { kind: 'other-tool', name: 'JMH', signs: starts(/^# JMH version: \d/), instead: benchmark },
  {
    kind: 'other-tool',
    name: 'AWS Lambda Power Tuning (lambda-power-tuning)',
    signs: [
      { holds: 'lambda-power-tuning', pattern: /"visualization": *"https:\/\/lambda-power-tuning/ },
      { pattern: /^\s*"cost": *[\d.e-]+,\s*$/, after: /^\s*"power": *\d+,\s*$/ },
      { pattern: /^\{"power":\d+,"cost":/ },
    ],
    instead:
      'It is the winner of a sweep, a mean of trimmed samples: upload the REPORT lines of the invocations, one log for each memory size.',
  },
  {
    kind: 'not-read-yet',
    name: 'a scrape of Prometheus metrics',
    signs: starts(/^# TYPE [\w:]+ (?:counter|gauge|histogram|summary|untyped|unknown)\s*$/, /^# HELP [\w:]+ \S/),
    instead: 'It counts what a server saw since its start, not a run: upload what the load generator printed.',
  },
  {
    kind: 'not-read-yet',
    name: 'a log in the embedded metric format of CloudWatch (EMF)',
    signs: [{ holds: '"_aws"', pattern: /"_aws": *\{(?:$| *"(?:Timestamp|CloudWatchMetrics)")/ }],
    instead:
      "They are metrics of an application's own: upload what the load generator printed, or the REPORT lines of the log.",
  },
]

const emptyInput = "vegeta's message that its input was empty or unreadable"

const messages: readonly ForeignForm[] = [
  { kind: 'no-results', name: "hey's usage text", signs: starts(/^Usage: hey \[options/) },
  { kind: 'no-results', name: "wrk's usage text", signs: starts(/^Usage: wrk2? <options> <url>/) },
  { kind: 'no-results', name: "vegeta's usage text", signs: starts(/^Usage: vegeta \[/) },
  {
    kind: 'no-results',
    name: "wrk's message that it could not connect",
    signs: starts(/^unable to connect to \S+ \S/),
  },
  {
    kind: 'no-results',
    name: "wrk's message about its options",
    signs: starts(/^number of connections must be >= threads|^invalid URL: /),
  },
  {
    kind: 'no-results',
    name: emptyInput,
    signs: [
      { pattern: /^(?:report|encode|plot): (?:EOF|no )/ },
      { holds: "can't detect", pattern: /can't detect encoding of "/ },
    ],
  },
]

const formsNotRead: readonly ForeignForm[] = [
  {
    kind: 'not-read-yet',
    name: 'CloudWatch Logs Insights CSV',
    signs: starts(/^"?@\w+"?,.*@(?:duration|billedDuration|message)/),
  },
  {
    kind: 'not-read-yet',
    name: 'CloudWatch Logs Insights JSON',
    signs: starts(/^\s*"field": "@\w+",?$/),
  },
  {
    kind: 'not-read-yet',
    name: 'CloudWatch log events as JSON',
    signs: starts(/^\s*"logStreamName": "|^\s*"messageType": "DATA_MESSAGE"/),
  },
  {
    kind: 'not-read-yet',
    name: 'the response of a Lambda invocation (LogResult)',
    signs: starts(/^\s*"LogResult": "/),
  },
  {
    kind: 'not-read-yet',
    name: 'a Lambda log as JSON',
    signs: [{ holds: '"platform.', pattern: /"type": *"platform\.\w+"/ }],
  },
  {
    kind: 'not-read-yet',
    name: 'a page of "vegeta plot"',
    signs: [{ holds: '<title>', pattern: /<title>Vegeta Plot/ }],
    instead: 'Upload the output of "vegeta report" or "vegeta report -type=json".',
  },
]

const formsOfTheirOwn: readonly ForeignForm[] = [
  {
    kind: 'not-alone',
    name: "oha's JSON",
    signs: starts(/^\s*"successRate": *[\d.]+,?\s*$|^\{"summary":\{"successRate":/),
  },
  { kind: 'not-alone', name: "oha's CSV", signs: starts(/^"?request-start"?,"?DNS"?,"?DNS\+dialup"?,/) },
  {
    kind: 'not-alone',
    name: "k6's NDJSON",
    signs: starts(/^\{"(?:type":"Metric","data":\{"name|metric":"http_req\w*","type":"Point)"/),
  },
  {
    kind: 'not-alone',
    name: "Locust's statistics",
    signs: starts(
      /^"?Type"?,"?Name"?,"?Request Count"?,/,
      /^"?Timestamp"?,"?User Count"?,"?Type"?,/,
      /^\s*"num_none_requests": *\d+,$/,
    ),
  },
  {
    kind: 'not-alone',
    name: "JMeter's results (.jtl)",
    signs: starts(/^timeStamp,elapsed,label,responseCode/, /^<testResults version=/, /^\s*"pct1ResTime" ?:/),
  },
  { kind: 'not-alone', name: "k6's CSV", signs: starts(/^metric_name,timestamp,metric_value,/) },
  { kind: 'not-alone', name: "k6's summary (JSON)", signs: starts(/^\s*"http_req_\w+(?:\{[^"]*\})?": *\{$/) },
  { kind: 'not-alone', name: "hey's CSV", signs: starts(/^"?response-time"?[,;]"?DNS\+dialup"?[,;]/) },
  {
    kind: 'not-alone',
    name: 'a list of vegeta results (JSON)',
    signs: [
      { pattern: /^\{(?=.*"latency":\d)(?=.*"timestamp":")(?=.*"code":\d).*\}?$/ },
      { pattern: /^\s*"seq": *\d+,$/, after: /^\s*"attack": *"/ },
    ],
  },
  {
    kind: 'not-alone',
    name: 'an HdrHistogram log (.hlog)',
    signs: starts(/^#\[Histogram log format version |^"StartTimestamp","Interval_Length"/),
  },
  { kind: 'not-alone', name: 'an encoded HdrHistogram', signs: starts(/^HISTFAAA/) },
  { kind: 'not-alone', name: 'a list of vegeta results (CSV)', signs: starts(/^\d{19},\d{1,3},\d+,\d+,\d+,/) },
]

/** All of them; if a line shows signs of two, the first one is named. */
export const foreignForms: readonly ForeignForm[] = [
  ...otherForms,
  ...otherTools,
  ...notLoadTests,
  ...messages,
  ...formsNotRead,
  ...formsOfTheirOwn,
]
