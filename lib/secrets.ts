/** Replaces a secret. Nothing about the secret is stored, not even its length. */
export const mask = '[masked]'

/** Code of the problem that states what was masked in an upload. */
export const maskedCode = 'secrets-masked'

export interface Masked {
  readonly text: string
  /** What was masked, in the order found: `Authorization header`, `password`, …; never the secret. */
  readonly found: readonly string[]
}

interface Rule {
  readonly what: string
  /** Global; one group for what precedes the secret and stays, then the secret. Linear: no nested repetition. */
  readonly pattern: RegExp
  /** Plain lower-case strings, one of which must occur: most lines are ruled out by one look. */
  readonly hints: readonly string[]
}

/** Not yet masked, and not a shell or template variable, which holds no secret. */
const value = String.raw`(?!\s|\[masked\]|\$|<|\{\{|%\(|\*{3})`

/** A quote, escaped in nested strings. */
const mayQuote = String.raw`(?:\\{0,3}["'])?`
/** A backslash that does not begin a string escape, and so belongs to the secret. */
const backslash = String.raw`\\(?![nrt"'\\])`

const schemes = '(?:bearer|basic|digest|token|apikey|negotiate|aws4-hmac-sha256)'

const rules: readonly Rule[] = [
  {
    what: 'Authorization header',
    pattern: new RegExp(
      String.raw`(authorization${mayQuote}[ \t]{0,3}[:=][ \t]{0,3}${mayQuote}digest[ \t]{1,3})${value}(?:[^\r\n\\]|\\(?![nrt]))+`,
      'gi',
    ),
    hints: ['authorization'],
  },
  {
    what: 'Authorization header',
    pattern: new RegExp(
      String.raw`(authorization${mayQuote}[ \t]{0,3}[:=][ \t]{0,3}${mayQuote}(?:${schemes}[ \t]{1,3})?)(?!${schemes}\s)${value}(?:[^"'\`|\r\n\\]|${backslash})+`,
      'gi',
    ),
    hints: ['authorization'],
  },
  {
    what: 'cookie',
    pattern: new RegExp(
      String.raw`(\b(?:set-)?cookie${mayQuote}[ \t]{0,3}[:=][ \t]{0,3}${mayQuote})${value}(?:[^"'\`|\r\n\\]|${backslash})+`,
      'gi',
    ),
    hints: ['cookie'],
  },
  {
    what: 'password',
    pattern: new RegExp(
      String.raw`(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s\/:@"'?#]{0,256}:)${value}[^\s\/@"']{1,512}(?=@)`,
      'gi',
    ),
    hints: ['://'],
  },
  {
    what: 'password',
    pattern: new RegExp(
      String.raw`((?:^|\s)(?:-a|-u|--user|--proxy-user|-U)(?:[ \t]{1,3}|=)${mayQuote}[\w.+@-]{1,128}:)${value}(?:[^\s"'\\]|${backslash}){1,512}`,
      'g',
    ),
    hints: ['-a', '-u', '--user', '--proxy-user'],
  },
  {
    what: 'key or token',
    pattern: new RegExp(
      String.raw`(\b[\w.-]{0,40}(?:api[_-]?key|access[_-]?key|secret|token|passwd|password|pwd|passphrase|private[_-]?key|session[_-]?id|sessionid|signature|credential|x-auth|client[_-]?key|auth[_-]?key)[\w.-]{0,40}${mayQuote}[ \t]{0,3}[:=][ \t]{0,3}${mayQuote})${value}(?:[^\s"'&,;)\]}|\\]|${backslash}){3,4096}`,
      'gi',
    ),
    hints: ['key', 'secret', 'token', 'pass', 'pwd', 'session', 'signature', 'credential', 'x-auth'],
  },
  {
    what: 'key or token',
    pattern: new RegExp(
      String.raw`(--?[\w-]{0,40}(?:api-?key|secret|token|password|passwd|passphrase)[ \t]{1,3}${mayQuote})${value}(?:[^\s"'\\]|${backslash}){3,4096}`,
      'gi',
    ),
    hints: ['key', 'secret', 'token', 'pass'],
  },
  { what: 'bearer token', pattern: /(\bbearer[ \t]{1,3})[\w.~+/=-]{8,4096}/gi, hints: ['bearer'] },
  {
    what: 'JSON web token',
    pattern: /()(?<![\w-])eyJ[\w-]{6,4096}\.[\w-]{4,8192}(?:\.[\w-]{0,4096})?/g,
    hints: ['eyj'],
  },
  {
    what: 'key or token',
    pattern:
      /()\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,255}|xox[abeoprs]-[\w-]{10,255}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}|sk-[A-Za-z0-9_-]{20,255}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[\w-]{30,60}|npm_[A-Za-z0-9]{30,60}|hvs\.[\w-]{20,255}|dop_v1_[0-9a-f]{40,80}|SG\.[\w-]{16,64}\.[\w-]{16,64})/g,
    hints: ['gh', 'glpat-', 'xox', 'sk', 'rk_', 'pk_', 'akia', 'asia', 'aiza', 'npm_', 'hvs.', 'dop_v1_', 'sg.'],
  },
]

/** Longer lines are masked in parts of this length. */
const longestLine = 65_536
const anyHint = new RegExp(
  [...new Set(['private key', '"value"', '"body"', ...rules.flatMap((rule) => rule.hints)])]
    .map((hint) => hint.replace(/[/.]/g, '\\$&'))
    .join('|'),
  'i',
)
/** bombardier's specification lists headers this way, on one line or two; any of them may be a key. */
const listedHeader = new RegExp(
  String.raw`("key"\s{0,80}:\s{0,80}"[^"\\]{1,200}"\s{0,80},\s{0,80}"value"\s{0,80}:\s{0,80}")${value}(?:[^"\\]|\\[^]){1,4096}`,
  'g',
)
/** Its body, followed by `stream` or a file path. */
const listedBody = new RegExp(
  String.raw`("body"\s{0,80}:\s{0,80}")${value}(?:[^"\\]|\\[^]){1,65536}(?="\s{0,80},\s{0,80}"(?:stream|bodyFilePath)"\s{0,80}:)`,
  'g',
)
const privateKey = /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[^-]{1,20000}/g

/**
 * Masks what looks like a secret in a text of any number of lines: private keys, listed headers, Authorization and
 * cookie headers, passwords in addresses and in `-a`/`-u`, keys and tokens by their names and by their well-known
 * forms. Each rule reads a line once; other lines stay the same, byte for byte.
 */
export function maskSecrets(text: string): Masked {
  if (!anyHint.test(text)) return { text, found: [] }
  const found: string[] = []
  const replace = (what: string) => (_all: string, before: string) => {
    found.push(what)
    return `${before}${mask}`
  }
  const whole = text.replace(privateKey, (all: string, before: string) =>
    all === `${before}${mask}` ? all : replace('private key')(all, before),
  )
  const listed = whole.replace(listedHeader, replace('request header')).replace(listedBody, replace('request body'))
  const masked = listed.replace(/[^\n]+/g, (line) => {
    if (!anyHint.test(line)) return line
    if (line.length <= longestLine) return maskLine(line, replace)
    return line.replace(/[^]{1,65536}/g, (part) => maskLine(part, replace))
  })
  return found.length === 0 ? { text, found } : { text: masked, found }
}

function maskLine(line: string, replace: (what: string) => (all: string, before: string) => string): string {
  const lower = line.toLowerCase()
  return rules.reduce(
    (text, { what, pattern, hints }) =>
      hints.some((hint) => lower.includes(hint)) ? text.replace(pattern, replace(what)) : text,
    line,
  )
}

/** What was masked, in words: `2 Authorization headers, 1 password`. Empty: nothing. */
export function maskedWords(found: readonly string[]): string {
  return [...new Set(found)]
    .map((what) => {
      const count = found.filter((one) => one === what).length
      return `${count} × ${what}`
    })
    .join(', ')
}

/** Masks every text in a value, in place, and adds what was masked to `found`. Histogram payloads hold none. */
export function maskTexts(value: unknown, found: string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Reflect.ownKeys(value)) {
    const inner: unknown = Reflect.get(value, key)
    if (typeof inner === 'object') maskTexts(inner, found)
    else if (typeof inner === 'string' && key !== 'v2Base64') {
      const masked = maskSecrets(inner)
      if (masked.found.length === 0) continue
      found.push(...masked.found)
      Reflect.set(value, key, masked.text)
    }
  }
}
