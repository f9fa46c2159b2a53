import { closingQuote, unescapeText } from '../../lib/escape'

/**
 * Times that loggers write at the start of a line: moreutils `ts`, ISO 8601, `docker logs -t`, GitHub Actions, Go's
 * log, syslog.
 */
const clock = String.raw`\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?`
const zone = String.raw`(?:Z|[+-]\d{2}:?\d{2})?`
const stamp = `(?:\\d{4}[-/]\\d{2}[-/]\\d{2}[T ]${clock}${zone}|[A-Z][a-z]{2} [ \\d]\\d ${clock}|${clock})`
const timePrefix = new RegExp(`^(?:\\[${stamp}\\]|${stamp})(?: |\\t|$)`)

const comment = /^(?:#|\/\/) ?/

/** Prefixes that could also be the author's own text: removed only before a line of a known report. */
const namePrefixes: readonly { readonly pattern: RegExp; readonly holds: string }[] = [
  // docker compose and swarm: `web_1  | `, `bench.1.x7k@node-2    | `
  { pattern: /^[\w./@-]{1,80} *\| ?/, holds: '|' },
  // kubectl logs --prefix: `[pod/bench-7d9f/wrk] `
  { pattern: /^\[[\w.-]{1,80}(?:\/[\w.-]{1,80}){1,3}\] ?/, holds: '/' },
  // Kubernetes' node files: `stdout F `
  { pattern: /^std(?:out|err) [FP] /, holds: 'std' },
  // Heroku and Fly: `app[worker.1]: `, `app[e784079b] ams [info]`
  { pattern: /^[\w.-]{1,80}\[[\w./-]{1,80}\](?:: ?| \w{2,8} ?\[\w{1,10}\] ?)/, holds: '[' },
  // Loki: `{app="bench"} `
  { pattern: /^\{[\w.-]{1,40}="[^{}]{0,300}\} /, holds: '="' },
  // stern: `bench-7d9f wrk `; GitLab: `01O `
  { pattern: /^(?:[a-z0-9][\w.-]{2,80}-[a-z0-9]{4,10} [a-z0-9][\w.-]{0,60} |\d\d[OE][ +])/, holds: ' ' },
  // grep, grep -n and their context lines: `out.txt:12:`, `out.txt-12-`, `logs/out.txt:`
  { pattern: /^[^\s:|]{1,200}[:-]\d{1,9}[:-]/, holds: '' },
  { pattern: /^[^\s:|./]{0,200}[./][^\s:|]{1,300}:/, holds: ':' },
  // Comments in a script that quote its output: `# Running 30s test @ …`, `//   Latency …`
  { pattern: comment, holds: '' },
  // journald and syslog: `host wrk[123]: `
  { pattern: /^[\w.-]{1,80} [\w./-]{1,80}\[\d{1,9}\]: ?/, holds: ']:' },
]

/**
 * A line that hardly anything but hey, vegeta, wrk, Lambda or another tool prints; for other tools the first lines of
 * reports.
 */
const knownLine = new RegExp(
  [
    String.raw`^All requests done\.$`,
    String.raw`^\s*(?:Summary|Response time histogram|Latency distribution|Status code distribution|Error distribution|Detailed Report|Error Set):$`,
    String.raw`^\s*Details \(average, fastest, slowest\):$`,
    String.raw`^\s*(?:Total|Slowest|Fastest|Average|Requests\/sec|Transfer\/sec|Total data|Size\/request|DNS\+dialup|DNS-lookup|req write|resp wait|resp read|Request Write|Response Wait|Response Read):(?:\s|$)`,
    String.raw`^\s*\d+\.\d+ \[\d+\]\s*\|`,
    String.raw`^\s*\d+%{1,2} in \d`,
    String.raw`^\s*\[\d+\]\s`,
    String.raw`^\s*(?:Requests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes) +\[`,
    String.raw`^Bucket +# +%`,
    String.raw`^\[\S+, +\S+\] +\d+ `,
    String.raw`^Running \d+[smh] test @ `,
    String.raw`^\s+\d+ threads and \d+ connections`,
    String.raw`^\s+Thread (?:Stats|calibration)`,
    String.raw`^\s+(?:Latency|Req\/Sec)\s+\S`,
    String.raw`^\s*[\d.]+%\s+[\d.]+[a-z]+\s*$`,
    String.raw`^\s+\d+ requests in `,
    String.raw`^\s+(?:Socket errors|Non-2xx or 3xx responses):`,
    String.raw`^(?:REPORT|START|END) RequestId:`,
    String.raw`^(?:INIT_REPORT|RESTORE_REPORT|INIT_START|RESTORE_START|XRAY) `,
    String.raw`^\s*Type +Name(?: |$)`,
    String.raw`^ *-{0,400}\|-{4}`,
    String.raw`^ *(?:Aggregated|Total) +\d+ +\d+\(`,
    String.raw`^\S*INFO\/locust\.main: `,
    String.raw`^This is ApacheBench, Version `,
    String.raw`^Server Software:`,
    String.raw`^(?:starting benchmark\.\.\.|finished in [\d.]+m?u?s, )`,
    String.raw`^Ended after \S+ : \d+ calls\. `,
    String.raw`^Aggregated Function Time : count `,
    String.raw`^# target [\d.]+% \d`,
    String.raw`^│ Stat +│ `,
    String.raw`^\s*Count:\s+\d+\s*$`,
    String.raw`^Bombarding \S`,
    String.raw`^\s*(?:execution: (?:local|cloud)\s*$|█ )`,
    String.raw`^\s*(?:[✓✗] )?(?:http_req|data_|iteration|vus|checks)\w{0,40}\.{2,80}: `,
    String.raw`^Statistics +Avg +Stdev +Max`,
    String.raw`^ *Value +Percentile +TotalCount`,
  ].join('|'),
)

/** `"  Total:\\t0.2196 secs\\n",`, `'Summary:\\n' +`: one line of an output as a string of its own. Null: not one. */
function readWrapped(text: string): string | null {
  const line = text.trim()
  const [quote] = line
  if (quote !== '"' && quote !== "'") return null
  const end = closingQuote(line, 1, quote)
  if (end < 0 || !/^ {0,20}[,+;)\]]{0,3}$/.test(line.slice(end + 1, end + 30))) return null
  const content = line.slice(1, end).replace(/(?:\\r)?\\n$/, '')
  return /\\[nr]/.test(content) ? null : content
}

/** `{"log":"  Total:\\t0.2196 secs\\n","stream":"stdout","time":"…"}`, as written by Docker and Kubernetes. */
const dockerLog = /^\{(?:"[\w.]{1,40}": ?"[^"\\]{0,200}", ?){0,6}"log": ?"((?:[^"\\]|\\[^nr])*)(?:\\r)?(?:\\n)?" ?[,}]/
const beginsQuoted = /^\s*["'{]/

const quote = /^(?: {0,3}> ?)+/

/**
 * Makes a function that removes carriers from the front of each line: mail quotes, times, and (before a known line) the
 * names that docker compose, grep and syslog write. It remembers the last name prefix, which lines in between that are
 * not recognisable on their own (an error message, an empty line) carry too. Indentation stays.
 */
export function createPrefixRemover(): (text: string) => string {
  let lastName: string | null = null
  /** The previous line was one string: in a JSON list of lines, lines joined in a script, or a Docker log. */
  let wasWrapped = false
  /** The current line had a name in front. */
  let isNamed = false
  return (text) => {
    let rest = withoutWrapping(text)
    isNamed = false
    for (let round = 0; round < 4; round++) {
      const shorter = withoutName(withoutTime(withoutQuote(rest)))
      if (shorter.length === rest.length) break
      rest = shorter
    }
    return rest
  }

  function withoutWrapping(text: string): string {
    const mayBeWrapped = wasWrapped || beginsQuoted.test(text)
    const content = mayBeWrapped ? (readWrapped(text) ?? dockerLog.exec(text)?.[1] ?? null) : null
    if (content === null) {
      wasWrapped = false
      return text
    }
    const line = unescapeText(content)
    if (!wasWrapped && !knownLine.test(withoutTime(line))) return text
    wasWrapped = true
    return line
  }

  function withoutName(text: string): string {
    const first = text.charCodeAt(0)
    // Most lines are empty, indented or already known, so they have no name in front.
    if (!(first > 0x20) || knownLine.test(text)) return text
    for (const { pattern, holds } of namePrefixes) {
      const prefix = text.includes(holds) ? pattern.exec(text)?.[0] : undefined
      if (prefix === undefined) continue
      const rest = text.slice(prefix.length)
      if (!knownLine.test(withoutTime(withoutQuote(rest))) && nameOf(prefix) !== lastName) continue
      // `# Summary:` is a heading, and `#[Mean …` after a mark is wrk2's.
      if (pattern === comment && (isNamed || (nameOf(prefix) !== lastName && !/\d/.test(rest)))) continue
      lastName = nameOf(prefix)
      isNamed = true
      return rest
    }
    if (!isNamed) lastName = null
    return text
  }
}

/** The prefix without the part that changes from line to line: grep's line number. */
function nameOf(prefix: string): string {
  return prefix.replace(/[:-]\d+[:-]$/, ':').trimEnd()
}

function withoutQuote(text: string): string {
  return text.includes('>') ? text.replace(quote, '') : text
}

function withoutTime(text: string): string {
  const first = text.charCodeAt(0)
  const mayBeTime = (first >= 0x30 && first <= 0x39) || first === 0x5b || (first >= 0x41 && first <= 0x5a)
  return mayBeTime ? text.replace(timePrefix, '') : text
}
