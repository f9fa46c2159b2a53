import { readInstanceType, findInstanceType } from './heading-names'
import { readPlainText } from './markdown-inline'
import { parseDecimal } from '../text/number'

/** One fact in a line. `setting`: part of the environment, or a label if a run has no environment. */
export interface LineFact {
  readonly kind: 'setting' | 'label' | 'measure'
  /** See lib/run/run.ts, Fact. */
  readonly key: string
  readonly value: string
  /** Written as `key: value`, not found in a phrase. */
  readonly isPair: boolean
  /** For measures: the number and unit of `value`. `name`: `rss`, `stated-duration`. */
  readonly measure: { readonly name: string; readonly value: number; readonly unit: string | null } | null
}

/** The facts in a line that can be filed. `isWhole`: the line contains nothing else. */
export interface LineFacts {
  readonly facts: readonly LineFact[]
  readonly isWhole: boolean
}

const nothing: LineFacts = { facts: [], isWhole: false }

/** Key as written, lower-case → how it is filed. `same`: under its own name. */
const knownKeys: readonly (readonly [pattern: RegExp, kind: LineFact['kind'], key: string | null])[] = [
  [/^(?:number of )?(instances|containers|pods|replicas|nodes|tasks|shards)$/, 'label', null],
  [/^(?:v?cpus?|(?:cpu )?cores?|processors?|cpu model)$/, 'setting', 'cpu'],
  [/^(?:memory|ram|memory size)$/, 'setting', 'memory'],
  [/^(?:aws )?region$/, 'setting', 'region'],
  [/^arch(?:itecture)?$/, 'setting', 'architecture'],
  [/^(?:os|operating system)$/, 'setting', 'os'],
  [/^(kernel|runtime|disk|network|availability zone)$/, 'setting', null],
  [/^([\w.+#-]{1,30}) version$/, 'setting', null],
  [/^(python|node|node\.js|go|java|jdk|rust|ruby|php|dotnet|elixir|erlang)$/, 'setting', null],
  [/^(?:payload|body|message)(?: size)?$/, 'label', 'payload'],
  [/^((?:request|response) size)$/, 'label', null],
  [/^(commit|branch|tag|version|release|build|revision)$/, 'label', null],
  [/^(?:max )?(?:rss|resident set size)(?: memory)?$/, 'measure', 'rss'],
  [/^(?:requests?\/s(?:ec(?:ond)?)?|requests per second|rps|req\/s(?:ec)?|qps)$/, 'measure', 'requests-per-second'],
  [/^(?:test )?duration$/, 'measure', 'duration'],
  [/^(connections|threads|concurrency|clients|users|rate|requests)$/, 'measure', null],
  [/^(?:avg|average|mean)(?: latency| response time)?$/, 'measure', 'mean'],
  [/^(p\d{2}(?:\.\d{1,3})?|median|max|min)(?: latency| response time)?$/, 'measure', null],
]
const region =
  /\b(?:us|eu|ap|sa|ca|me|af|il|mx|cn)(?:-gov)?-(?:north|south|east|west|central|(?:north|south)(?:east|west))-\d\b/
const size = /^\d{1,9}(?:\.\d{1,3})? ?[kKMGT]i?[bB]$/
/** Subjects that mean everything that was measured. */
const everyone = /^(?:both|all|each|every|the|lambdas?|functions?)\b/i
const namesMeasured = /\b(?:lambdas?|functions?)\b/i

/**
 * Reads the facts of a line: `20 instances`, `Memory: 128 MB`, `60s, 350rps`. `isSettings`: the line is in a list of
 * settings, so any `key: value` is one.
 */
export function readLineFacts(source: string, { isSettings }: { readonly isSettings: boolean }): LineFacts {
  if (source.length > 500) return nothing
  const header = /^`([\w-]{1,60}): ?([^`]{1,100})`(?: headers?)?$/.exec(source.trim())
  if (header?.[1] !== undefined && header[2] !== undefined)
    return { facts: [label(toKey(header[1]), header[2].trim())], isWhole: true }
  const text = readPlainText(source)
  return readRecipe(text) ?? readPhrase(text) ?? readPair(text, isSettings) ?? readRegion(text) ?? nothing
}

/** A fact that becomes a label. */
export function label(key: string, value: string): LineFact {
  return { kind: 'label', key, value, isPair: false, measure: null }
}

function setting(key: string, value: string): LineFact {
  return { kind: 'setting', key, value, isPair: false, measure: null }
}

/** A measure; a label if the value is not a number. */
function measure(key: string, value: string): LineFact {
  const [, number, unit] =
    /^(?:~|≈|ca\.? )? ?(\d[\d,_]{0,30}(?:\.\d{1,20})?) ?([A-Za-zµ%/]{0,20})(?: |$)/.exec(value) ?? []
  const parsed = number === undefined ? null : parseDecimal(number.replace(/[,_]/g, ''))
  if (parsed === null) return label(key, value)
  const name = key === 'rss' ? key : `stated-${key}`
  return {
    kind: 'measure',
    key,
    value,
    isPair: false,
    measure: { name, value: parsed, unit: unit === '' ? null : (unit ?? null) },
  }
}

/** `60s 400rps`, `60s, 350rps`: how the load was made. */
export function readRecipe(text: string): LineFacts | null {
  const [whole, duration, rate] = /\b(\d{1,6} ?[smh])(?:,? |, ?)(\d{1,9}(?:\.\d{1,3})? ?rps)\b/i.exec(text) ?? []
  if (whole === undefined || duration === undefined || rate === undefined) return null
  return { facts: [label('duration', duration), label('rate', rate)], isWhole: whole === text }
}

function readPhrase(text: string): LineFacts | null {
  const whole = (...facts: LineFact[]): LineFacts => ({ facts, isWhole: true })
  const count = /^(\d[\d,_]{0,12}) (instance|container|pod|replica|node|task|shard)s?$/i.exec(text)
  if (count?.[1] && count[2]) return whole(label(`${count[2].toLowerCase()}s`, count[1]))
  const rate = /^(\d[\d,._]{0,20}) ?(?:rps|req\/s|requests\/s(?:ec)?|qps)$/i.exec(text)
  if (rate) return whole(measure('requests-per-second', text))
  const latency =
    /^(\d[\d,._]{0,20} ?(?:ns|µs|us|ms|s|secs?)) (avg|average|mean|median|p\d{2}(?:\.\d{1,3})?|max|min)$/i.exec(text)
  if (latency?.[1] && latency[2])
    return whole(measure(latency[2].toLowerCase().replace(/^(?:avg|average)$/, 'mean'), latency[1]))
  if (/^\d{1,4}[ -]?(?:v?cpus?|cores?)\b/i.test(text)) return whole(setting('cpu', text))
  const memory = /^(\d{1,6}(?:\.\d{1,2})? ?[kKMGT]i?[bB])(?: of)? (?:memory|ram)$/i.exec(text)
  if (memory?.[1]) return whole(setting('memory', memory[1]))
  const [, subject, configured] =
    /^([^:]{1,60}?) (?:are |is |was |were )?configured with ([^:]{1,100})$/i.exec(text) ?? []
  if (subject !== undefined && configured !== undefined) {
    const bare = configured.replace(/ (?:of )?(?:memory|ram)$/i, '')
    if (size.test(bare) && (everyone.test(subject) || namesMeasured.test(subject)))
      return whole(setting('memory', bare))
    return whole(setting(toKey(subject), configured))
  }
  if (/^(?:arm64|aarch64|x86_64|amd64)$/i.test(text)) return whole(setting('architecture', text))
  return text.includes(':') || readInstanceType(text) === null ? null : whole(setting('instance-type', text))
}

function readPair(text: string, isSettings: boolean): LineFacts | null {
  const [, written, value] = /^([^:]{1,60}):\s+(\S.*)$/.exec(text) ?? []
  if (written === undefined || value === undefined || value.length > 200) return null
  const key = written.trim().toLowerCase()
  if (
    /^(?:ec2 |aws )?(?:instance|machine|vm|server|host|node)?(?: ?type)?$/.test(key) &&
    findInstanceType(value) !== null
  )
    return pair(setting('instance-type', value))
  for (const [pattern, kind, filed] of knownKeys) {
    const found = pattern.exec(key)
    if (found === null) continue
    const name = filed ?? toKey(found[1] ?? key)
    const make = kind === 'measure' ? measure : kind === 'label' ? label : setting
    return pair(make(name, value))
  }
  if (!isSettings || key.split(' ').length > 5 || value.length > 120) return null
  return pair(setting(toKey(written), value))
}

function pair(fact: LineFact): LineFacts {
  return { facts: [{ ...fact, isPair: true }], isWhole: true }
}

function readRegion(text: string): LineFacts | null {
  const [name] = region.exec(text) ?? []
  return name === undefined ? null : { facts: [setting('region', name)], isWhole: name === text }
}

/** `OriginSimulator on EC2` → `origin-simulator-on-ec2`. */
function toKey(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
}
