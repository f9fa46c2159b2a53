import { joinWords } from '../text'
import type { QuantileMethod } from './quantile-method'

/** A figure that a run does not have. */
export interface MissingFigure {
  /** Its column label: `p99.9`. */
  readonly label: string
  /** 99.9 for p99.9; null: not a percentile. */
  readonly percentile: number | null
  /** Requests of the run; null: unknown. */
  readonly requests: number | null
}

/** Forms in which one attack may be uploaded more than once: rows of results, and reports made from such rows. */
export interface AttackForms {
  /** Form → its name. `isText`: made of lines, both ends of which can be shown. */
  readonly results: Readonly<Record<string, { readonly name: string; readonly isText: boolean }>>
  readonly reports: Readonly<Record<string, string>>
  /** The last decimal place of a latency in printed reports, in ms. */
  readonly placeMs: (ms: number) => number
  /** The figure that both forms have, used to find the matching one. */
  readonly sharedFigure: 'requests' | 'maxMs'
  /** Whether a report's total time equals that of its results, or slightly exceeds it. */
  readonly sharesDuration: boolean
  /** Whether the bounds of printed buckets are exact, so that counting results into them gives the same counts. */
  readonly sharesBuckets: boolean
}

/** Everything known about a tool except how its output is read (`importers/`). Sentences are without a full stop. */
export interface ToolFacts {
  /** As its makers spell it. */
  readonly name: string
  /** A file format is written by any program and does not reveal how load was made. */
  readonly kind: 'load-generator' | 'platform' | 'file-format'
  /** The program in its command lines; null: none, or its options state nothing about a run. */
  readonly program: string | null
  /** Versions whose output is read; null: it has none, or all of them. */
  readonly versions: string | null
  /** What is read of it, in Markdown: docs/formats.md. Null: nothing yet, so it is not shown anywhere. */
  readonly reads: string | null
  /** What its runs count. */
  readonly counts: 'request' | 'invocation'
  /**
   * How it offers load: on a schedule, each connection after its last answer, not at all (it watches), or depending on
   * its options, which its output need not state.
   */
  readonly loop: 'open' | 'closed' | 'observed' | 'by-options'
  /** Whether a connection carries one request at a time, or several (HTTP/2, gRPC). */
  readonly inFlight: 'one-a-connection' | 'many-a-connection'
  /** What its output states about a test: in all its forms, in some, or in none. */
  readonly states: Readonly<Record<'start' | 'rate' | 'connections', 'always' | 'in-some-forms' | 'never'>>
  /** Default timeout of a request; null: none, or unknown. */
  readonly timeoutMs: number | null
  /** The duration that its printed rate divides by: all of the run, or the time until the last request was sent. */
  readonly rateIsOver: 'durationMs' | 'attackMs'
  /** What its latencies span, and of which requests. */
  readonly latencies: string
  readonly failures: {
    /** What it counts as a success. */
    readonly rule: string
    /**
     * Whether a response with a bad status is a success. passes: its successes include such responses, so ours go by
     * the status codes where these are known.
     */
    readonly badStatus: 'fails' | 'passes'
    /** Whether failures are in the latencies. */
    readonly words: string
    /** Its error for requests in flight when the time was up; null: none. They are not failures. */
    readonly stoppedAtTheEnd: string | null
    /**
     * What its list of errors counts. beside-codes: requests without a status code. among-codes: also included in the
     * codes (or other counts). beside-requests: socket errors, which are not among its requests, except one line of bad
     * statuses.
     */
    readonly errorsAre: 'beside-codes' | 'among-codes' | 'beside-requests'
  }
  readonly quantiles: {
    /** Those that its forms can give. */
    readonly methods: readonly QuantileMethod[]
    /** Replaces the method's words. */
    readonly words: string | null
  }
  /** Why a run lacks a figure, as far as the tool determines it. */
  readonly missing: (figure: MissingFigure) => string
  readonly resolution: string
  /** Resolution where the figures themselves have more places: a tool may print both. */
  readonly finerResolution: string | null
  readonly sampleCap: {
    readonly words: string
    /** The form limited to `count` values, and the hint for a run with that many; null: none. */
    readonly limit: { readonly form: string; readonly count: number; readonly sentence: string } | null
  }
  readonly coordinatedOmission: {
    readonly treatment:
      'none' | 'avoided' | 'values-added' | 'from-due-time' | 'by-options' | 'does-not-apply' | 'not-stated'
    readonly words: string
  }
  /** Null: one attack has one form. */
  readonly attackForms: AttackForms | null
}

const notPrinted =
  (name: string): ToolFacts['missing'] =>
  () =>
    `${name} did not print it`

const table = {
  hey: {
    name: 'hey',
    kind: 'load-generator',
    program: 'hey',
    versions: '0.1.0–0.1.5',
    reads: 'summary text; `-o csv`',
    counts: 'request',
    loop: 'closed',
    inFlight: 'one-a-connection',
    states: { start: 'never', rate: 'never', connections: 'never' },
    timeoutMs: 20_000,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, connecting included, of requests with a response',
    failures: {
      rule: 'no response; statuses are counted apart',
      words: 'failed requests are not in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'beside-codes',
    },
    quantiles: { methods: ['hey-rank', 'nearest-rank'], words: null },
    missing: ({ label, percentile, requests }) => {
      if (percentile === null) return 'hey did not print it'
      return requests !== null && requests < 100
        ? `hey prints no ${label} for ${requests} requests`
        : `hey does not print ${label}`
    },
    resolution: '0.1 ms',
    finerResolution: null,
    sampleCap: {
      words: 'only the first 1 000 000 responses are recorded',
      limit: {
        form: 'hey-text',
        count: 1_000_000,
        sentence:
          'hey records only the first 1 000 000 responses: percentiles, max and histogram cover those, and its average is too high',
      },
    },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a connection sends nothing',
    },
    attackForms: {
      results: { 'hey-csv': { name: "hey's CSV", isText: true } },
      reports: { 'hey-text': "hey's report" },
      placeMs: () => 0.1,
      // Its CSV does not state the number of requests: failed ones are not in it.
      sharedFigure: 'maxMs',
      // It lasts until the workers have ended, a little after the last response.
      sharesDuration: true,
      sharesBuckets: false,
    },
  },
  vegeta: {
    name: 'vegeta',
    kind: 'load-generator',
    program: 'vegeta',
    versions: '6–12',
    reads:
      '`report` as text of every version, JSON (with `-buckets` too), `hist`, `hdrplot`, `-every` snapshots; raw results as gob, CSV and JSON lines',
    counts: 'request',
    loop: 'open',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'in-some-forms', connections: 'never' },
    timeoutMs: 30_000,
    rateIsOver: 'attackMs',
    // A request without a response has the code 0; the error set lists messages without counts.
    latencies: 'from the send to the last byte, connecting included, of all requests',
    failures: {
      rule: 'no response, or a status outside 200–399',
      words: 'failed requests are in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['t-digest', 'stream-estimate', 'nearest-rank', 'buckets'], words: null },
    missing: notPrinted('vegeta'),
    resolution: '1 ns measured; reports since 12.8 round to the next smaller unit',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'avoided',
      words: 'avoided: requests are sent on schedule, whether or not earlier responses have arrived',
    },
    attackForms: {
      results: {
        'vegeta-gob': { name: 'vegeta results', isText: false },
        'vegeta-csv': { name: 'vegeta results (CSV)', isText: true },
        'vegeta-results-json': { name: 'vegeta results (JSON)', isText: true },
      },
      reports: {
        'vegeta-text': 'text report',
        'vegeta-json': 'JSON report',
        'vegeta-hist': 'histogram',
        'vegeta-hdrplot': 'HDR plot',
      },
      // It rounds to the next smaller unit; below a microsecond only the fraction of a mean is lost.
      placeMs: (ms) => (ms >= 60_000 ? 1_000 : ms >= 1_000 ? 1 : ms >= 1 ? 1e-3 : 2e-6),
      sharedFigure: 'requests',
      sharesDuration: false,
      sharesBuckets: true,
    },
  },
  wrk: {
    name: 'wrk',
    kind: 'load-generator',
    program: 'wrk',
    versions: '3.0–4.2',
    reads: "text with and without `--latency`; JSON that a script (`-s`) prints with wrk's names",
    counts: 'request',
    loop: 'closed',
    inFlight: 'one-a-connection',
    states: { start: 'never', rate: 'never', connections: 'in-some-forms' },
    timeoutMs: 2_000,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, on open connections, of requests with a response',
    failures: {
      rule: 'a status outside 200–399; socket errors are counted beside the requests',
      words: 'responses slower than --timeout are counted but not in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'beside-requests',
    },
    quantiles: { methods: ['wrk-corrected'], words: null },
    missing: ({ percentile }) =>
      percentile === null || [50, 75, 90, 99].includes(percentile)
        ? 'wrk did not print it'
        : 'wrk prints only 50, 75, 90 and 99 %',
    resolution: '1 µs measured, two decimals printed',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'values-added',
      words: 'values are added for each wait longer than expected: mean and percentiles cover more than real responses',
    },
    attackForms: null,
  },
  wrk2: {
    name: 'wrk2',
    kind: 'load-generator',
    // Its program is also called wrk unless renamed.
    program: 'wrk',
    versions: '4.0.0',
    reads: 'text with and without `--latency`, that of the fork in DeathStarBench too; percentile spectrum',
    counts: 'request',
    loop: 'open',
    inFlight: 'one-a-connection',
    states: { start: 'never', rate: 'never', connections: 'always' },
    timeoutMs: 2_000,
    rateIsOver: 'durationMs',
    latencies: 'from the due time to the last byte, on open connections, of requests with a response',
    failures: {
      rule: 'a status outside 200–399; socket errors are counted beside the requests',
      words: 'responses slower than --timeout are counted but not in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'beside-requests',
    },
    quantiles: { methods: ['hdr'], words: null },
    missing: notPrinted('wrk2'),
    resolution: '3 significant digits',
    finerResolution: null,
    sampleCap: { words: 'the first 10 s of calibration are excluded', limit: null },
    coordinatedOmission: {
      treatment: 'from-due-time',
      words: 'measured from the time a request should have been sent; “uncorrected” from when it was',
    },
    attackForms: null,
  },
  oha: {
    name: 'oha',
    kind: 'load-generator',
    program: null,
    versions: '0.x–1.16',
    reads: 'summary text, of 0.x too; JSON and CSV from 1.4',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'never', rate: 'never', connections: 'never' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, connecting included, of requests with a response',
    failures: {
      rule: 'no response; any status is a success to it',
      words: 'requests without a response are not in the latencies, bad statuses are',
      badStatus: 'passes',
      stoppedAtTheEnd: 'aborted due to deadline',
      errorsAre: 'beside-codes',
    },
    quantiles: { methods: ['floor-rank', 'nearest-rank'], words: null },
    missing: notPrinted('oha'),
    resolution: '1 ns measured; four decimals of a unit in its text',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'by-options',
      words: 'corrected only with --latency-correction, which its output does not state',
    },
    attackForms: null,
  },
  k6: {
    name: 'k6',
    kind: 'load-generator',
    program: null,
    versions: '0.26–1.8',
    reads:
      'end-of-test text; `--summary-export`, handleSummary and machine-readable summaries; NDJSON, marked as cut where its beginning is missing; CSV with any columns',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'in-some-forms', connections: 'in-some-forms' },
    timeoutMs: 60_000,
    rateIsOver: 'durationMs',
    latencies: 'sending, waiting and receiving, without connecting, of all requests',
    failures: {
      rule: 'what http_req_failed says: a status outside 200–399 or no response, unless the script expects others',
      words: 'failed requests are in the latencies, timeouts as long as the timeout',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['interpolated', 'nearest-rank'], words: null },
    missing: notPrinted('k6'),
    resolution: '1 ns; two decimals in its text',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'by-options',
      words: 'avoided by arrival-rate executors, which its figures do not name; not corrected by the others',
    },
    attackForms: null,
  },
  jmeter: {
    name: 'JMeter',
    kind: 'load-generator',
    program: null,
    versions: '5',
    reads:
      'results (.jtl) as CSV with any columns, separators and times (with their zone too) and as XML; statistics.json of its dashboard',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'in-some-forms' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'elapsed: from the send to the last byte, connecting included, of all samples',
    failures: {
      rule: 'success=false: a bad status, no response, a failed assertion, or what the plan says',
      words: 'failed requests are in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['nearest-rank', 'interpolated-beyond'], words: null },
    missing: notPrinted('JMeter'),
    resolution: '1 ms',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a thread sends nothing',
    },
    attackForms: null,
  },
  locust: {
    name: 'Locust',
    kind: 'load-generator',
    program: null,
    versions: '1–2',
    reads: 'final text, also as a console of any width wrapped it; JSON; `_stats.csv` and `_stats_history.csv`',
    counts: 'request',
    loop: 'closed',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'in-some-forms' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, connecting included, of all requests',
    failures: {
      rule: 'an exception, a status from 400 on, or what the script says',
      words: 'failed requests are in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['rounded-rank'], words: null },
    missing: notPrinted('Locust'),
    resolution: '1 ms below 100 ms, then two digits; min, mean and max are exact',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a user sends nothing',
    },
    attackForms: null,
  },
  autocannon: {
    name: 'autocannon',
    kind: 'load-generator',
    program: null,
    versions: '7–9',
    reads: '`-j` JSON; text with and without `-l`',
    counts: 'request',
    loop: 'closed',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'always' },
    timeoutMs: 10_000,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, in whole milliseconds, of all responses (of 2xx only with -x)',
    failures: {
      rule: 'nothing: statuses outside 2xx and errors are counted apart',
      words: 'requests without a response are not in the latencies, bad statuses are',
      badStatus: 'passes',
      stoppedAtTheEnd: null,
      errorsAre: 'beside-codes',
    },
    quantiles: { methods: ['hdr'], words: 'HdrHistogram of whole milliseconds' },
    missing: notPrinted('autocannon'),
    resolution: '1 ms, rounded down; from 1 to 10 000 ms',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'by-options',
      words: 'with -R or -r values are added as if a request were due every millisecond; otherwise not corrected',
    },
    attackForms: null,
  },
  h2load: {
    name: 'h2load',
    kind: 'load-generator',
    program: null,
    versions: '0.4–1',
    reads: 'text; `--log-file`',
    counts: 'request',
    loop: 'closed',
    inFlight: 'many-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'in-some-forms' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, on open connections, of finished requests',
    failures: {
      rule: 'a status from 400 on, or not finished',
      words: 'finished requests with a bad status are in the latencies, unfinished ones are not',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['nearest-rank'], words: null },
    missing: notPrinted('h2load'),
    resolution: 'three digits in its text; 1 µs in its log',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a stream sends nothing',
    },
    attackForms: null,
  },
  ab: {
    name: 'ab',
    kind: 'load-generator',
    program: null,
    versions: '2',
    reads: 'text, also excerpts of it; `-e` CSV; `-g` rows',
    counts: 'request',
    loop: 'closed',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'in-some-forms' },
    timeoutMs: 30_000,
    rateIsOver: 'durationMs',
    latencies: 'from connecting to the last byte, of all completed requests',
    failures: {
      rule: 'no connection, no response, an exception, or another length than the first response; not a bad status',
      words: 'failed requests are in the latencies',
      badStatus: 'passes',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['floor-rank', 'nearest-rank'], words: null },
    missing: notPrinted('ab'),
    resolution: '1 ms; 1 µs with -e',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a connection sends nothing',
    },
    attackForms: null,
  },
  ghz: {
    name: 'ghz',
    kind: 'load-generator',
    program: null,
    versions: '0.93–0.121',
    reads: '`-O json`, `-O csv`; summary text, also without its list of errors or statuses',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'many-a-connection',
    states: { start: 'in-some-forms', rate: 'in-some-forms', connections: 'in-some-forms' },
    timeoutMs: 20_000,
    rateIsOver: 'durationMs',
    latencies: 'one call each; its mean is of all calls, its other figures of those that were OK',
    failures: {
      rule: 'a gRPC status other than OK',
      words: 'failed calls are in the mean and in the rows, not in its percentiles',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['nearest-rank'], words: null },
    missing: notPrinted('ghz'),
    resolution: '1 ns in its JSON; 0.01 ms in CSV and text',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'by-options',
      words: 'avoided with --async; otherwise a worker that waits for a slow response sends nothing',
    },
    attackForms: null,
  },
  fortio: {
    name: 'Fortio',
    kind: 'load-generator',
    program: null,
    versions: '0.6–1',
    reads: 'JSON; text, also from its times of calls or `# target 50%` on',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'in-some-forms', connections: 'in-some-forms' },
    timeoutMs: 3_000,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, of all calls; a call that timed out is sent again',
    failures: {
      rule: 'a status outside 2xx (418 passes), or no response',
      words: 'failed calls are in the latencies',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['within-buckets'], words: null },
    missing: notPrinted('Fortio'),
    resolution: 'width of its buckets; min, mean and max are exact',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: a late thread catches up, and its times run from the real send',
    },
    attackForms: null,
  },
  bombardier: {
    name: 'bombardier',
    kind: 'load-generator',
    program: null,
    versions: '1–2',
    reads: 'JSON; text, also with percentiles of 2xx',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'never', rate: 'in-some-forms', connections: 'always' },
    timeoutMs: 2_000,
    rateIsOver: 'durationMs',
    latencies: 'from the send to the last byte, of all requests',
    failures: {
      rule: 'nothing: it counts classes of statuses, and all else as others',
      words: 'failed requests are in the latencies, however fast they failed',
      badStatus: 'passes',
      stoppedAtTheEnd: null,
      errorsAre: 'beside-codes',
    },
    quantiles: { methods: ['nearest-rank'], words: 'its own histogram of whole microseconds' },
    missing: notPrinted('bombardier'),
    resolution: '1 µs; two decimals in its text',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'none',
      words: 'not corrected: while waiting for a slow response, a connection sends nothing',
    },
    attackForms: null,
  },
  lambda: {
    name: 'AWS Lambda',
    kind: 'platform',
    program: null,
    versions: null,
    reads:
      '`REPORT` lines in any log, JSON logs and telemetry, `aws logs tail` and `filter-log-events`, subscriptions, Logs Insights as CSV, JSON and Markdown tables, `LogResult`, what serverless-offline prints, Markdown tables of these figures',
    counts: 'invocation',
    loop: 'observed',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'never' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'the time inside the function, of all invocations',
    failures: {
      rule: 'an error, a timeout or a crash of the function',
      words: 'failed and timed-out invocations are in the durations',
      badStatus: 'fails',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['nearest-rank', 'as-reported'], words: null },
    missing: () => 'not in the Lambda figures',
    // For text; records in JSON have three places, and a log may hold both.
    resolution: '0.01 ms',
    finerResolution: '0.001 ms',
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: {
      treatment: 'does-not-apply',
      words: 'does not apply: durations are measured inside the function, without queueing and network',
    },
    attackForms: null,
  },
  hdr: {
    name: 'HdrHistogram',
    kind: 'file-format',
    program: null,
    versions: null,
    reads: '`.hgrm` and CSV percentile files, `.hlog`, V2 in base64, alone or in any JSON',
    counts: 'request',
    loop: 'observed',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'never' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'not stated by the file',
    failures: {
      rule: 'not stated by the file',
      badStatus: 'fails',
      words: 'not stated by the file',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: {
      methods: ['hdr'],
      words: 'HdrHistogram: the largest value that its precision cannot distinguish from the exact one',
    },
    missing: notPrinted('hdr'),
    resolution: 'as the histogram was set up',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: { treatment: 'not-stated', words: 'not stated by the file' },
    attackForms: null,
  },
  mapped: {
    name: 'Own samples',
    kind: 'file-format',
    program: null,
    versions: null,
    reads: 'any other CSV, NDJSON or JSON array of samples, by a mapping of its columns',
    counts: 'request',
    loop: 'by-options',
    inFlight: 'one-a-connection',
    states: { start: 'in-some-forms', rate: 'never', connections: 'never' },
    timeoutMs: null,
    rateIsOver: 'durationMs',
    latencies: 'as the program measured them that wrote the samples; the column and its unit as the mapping says',
    failures: {
      rule: 'as the mapping says: a status outside its range, or a text in the column of errors',
      badStatus: 'fails',
      words: 'failed requests with a latency are in the latencies',
      stoppedAtTheEnd: null,
      errorsAre: 'among-codes',
    },
    quantiles: { methods: ['nearest-rank', 'hdr'], words: null },
    missing: () => 'no column of the mapping gives it',
    resolution: 'as the samples were written',
    finerResolution: null,
    sampleCap: { words: 'none', limit: null },
    coordinatedOmission: { treatment: 'not-stated', words: 'not stated by the file' },
    attackForms: null,
  },
} as const satisfies Readonly<Record<string, ToolFacts>>

/**
 * The id of the tool that made a run's figures. An entry above is enough to add one; the compiler lists what else must
 * handle it.
 */
export type Tool = keyof typeof table

/** The one table of tools, in the order in which readers see them. */
export const tools: Readonly<Record<Tool, ToolFacts>> = table

/** A program that command lines call. */
export type Program = Exclude<(typeof table)[Tool]['program'], null>

/** Names of programs in command lines → the program. */
export const programs: ReadonlyMap<string, Program> = new Map(
  Object.values(table).flatMap(({ name, program }) =>
    program === null ? [] : ([program, name] as const).map((called) => [called, program] as const),
  ),
)

/** Whether a text is a tool's id. */
export const isTool = (text: string): text is Tool => Object.hasOwn(tools, text)

/** The ids of those that are read, in table order. */
export const toolIds: readonly Tool[] = Object.keys(tools)
  .filter(isTool)
  .filter((id) => tools[id].reads !== null)

/** Names of the tools that match, in words: `hey and wrk`. */
export function toolNames(fits: (facts: ToolFacts) => boolean, by: 'and' | 'or' | ','): string {
  return joinWords(
    toolIds.map((id) => tools[id]).flatMap((facts) => (fits(facts) ? [facts.name] : [])),
    by,
  )
}

/** The tools that print output: `hey, vegeta, wrk, wrk2 or AWS Lambda`. */
export const printingTools = (by: 'and' | 'or'): string => toolNames(({ kind }) => kind !== 'file-format', by)

const binaryForms: ReadonlySet<string> = new Set(
  Object.values(tools).flatMap(({ attackForms }) =>
    Object.entries(attackForms?.results ?? {}).flatMap(([form, { isText }]) => (isText ? [] : [form])),
  ),
)

/** Whether a form is made of lines; all but gob are. */
export const isTextForm = (form: string): boolean => !binaryForms.has(form)

/**
 * The kind of a file with these runs, in a word or two: `text` for people, `raw results` (lines, whose encoding is
 * irrelevant), an `archive`, `binary results`, `not text` without a run. `encoding` null: not read as text.
 */
export function uploadKind(
  encoding: string | null,
  runs: readonly { readonly form: string; readonly context?: { readonly file?: string | undefined } }[],
): string {
  if (encoding !== null) return 'text'
  if (runs.length === 0) return 'not text'
  if (runs.some(({ context }) => context?.file !== undefined)) return 'archive'
  return runs.every(({ form }) => isTextForm(form)) ? 'raw results' : 'binary results'
}

/** The version of a tool, or those that print alike, in words: `up to 0.1.4`, `12.8 or later`. */
export function versionWords(version: string): string {
  const [first = '', last] = version.split(' ')
  if (last !== undefined) return `${first.replace(/^>=/, '')} or later, ${versionWords(last)}`
  if (first.startsWith('>=')) return `${first.slice(2)} or later`
  if (first.startsWith('<=')) return `up to ${first.slice(2)}`
  return first.startsWith('<') ? `before ${first.slice(1)}` : first.replace(/^([\d.]+)-(?=[\d.]+$)/, '$1 to ')
}

/** Whether a latency equals its tool's default timeout: the request would have taken longer. */
export function isAtTimeout(tool: Tool, ms: number): boolean {
  const { timeoutMs } = tools[tool]
  return timeoutMs !== null && ms >= timeoutMs * 0.995 && ms <= timeoutMs * 1.01
}

/** Prefix of a latency cut by its tool's timeout, whose true length is unknown. Else empty. */
export const boundSign = (tool: Tool, ms: number): string => (isAtTimeout(tool, ms) ? '≥\u00a0' : '')
