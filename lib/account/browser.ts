/** Tokens of user agents and their names, more specific ones first: every browser claims to be others too. */
const programs: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]

const firstOf = (table: typeof programs, userAgent: string): string | null =>
  table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

/** `Firefox on Windows`, from a User-Agent header; one part alone if the other is unknown, else `Unknown browser`. */
export function browserWords(userAgent: string): string {
  const [program, system] = [firstOf(programs, userAgent), firstOf(systems, userAgent)]
  if (program !== null && system !== null) return `${program} on ${system}`
  return program ?? system ?? (userAgent.trim() === '' ? 'Unknown browser' : userAgent.slice(0, 60))
}
