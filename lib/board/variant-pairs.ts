/** A name in two parts: what is compared, and what it was done with. */
export interface SplitName {
  readonly side: string
  readonly rest: string
}

interface Named {
  readonly name: string
  /** One of its figures, > 0; null: none. Names that are compared have closer figures. */
  readonly value: number | null
}

const tokensOf = (name: string): readonly string[] => name.split(/[\s_.-]+/).filter((token) => token !== '')

/**
 * Splits names into sides and what they share: `get_json_data`, `send_json_data`, `get_xml_data` and `send_xml_data`
 * are json and xml, for get and send. Of several ways, the one with the closest sides. Null: names are not built this
 * way.
 */
export function splitNames(all: readonly Named[]): ReadonlyMap<string, SplitName> | null {
  const rows = all.map(({ name, value }) => ({ name, value, tokens: tokensOf(name) }))
  const width = rows[0]?.tokens.length ?? 0
  if (width < 2 || rows.some(({ tokens }) => tokens.length !== width)) return null
  const ways = Array.from({ length: width }, (_, at) => wayAt(rows, at)).flatMap((way) => way ?? [])
  const [best] = [...ways].sort((a, b) => a.distance - b.distance)
  return best?.names ?? null
}

type Row = Named & { readonly tokens: readonly string[] }

/** The names with this token as their side; null: not all have the same sides. */
function wayAt(rows: readonly Row[], at: number) {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = row.tokens.toSpliced(at, 1).join(' ')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const sidesOf = (group: readonly Row[]) => group.map(({ tokens }) => tokens[at] ?? '').sort()
  const [first] = groups.values()
  const sides = first === undefined ? [] : sidesOf(first)
  const areAlike = [...groups.values()].every((group) => sidesOf(group).join(' ') === sides.join(' '))
  if (groups.size < 2 || sides.length < 2 || new Set(sides).size < sides.length || !areAlike) return null
  const isShared = (place: number) => rows.every(({ tokens }) => tokens[place] === rows[0]?.tokens[place])
  const names = rows.map(({ name, tokens }): readonly [string, SplitName] => {
    const rest = tokens.filter((_, place) => place !== at && !isShared(place)).join(' ')
    return [name, { side: tokens[at] ?? '', rest }]
  })
  const distance = [...groups.values()].reduce((sum, group) => sum + spreadOf(group), 0)
  return { names: new Map(names), distance }
}

function spreadOf(group: readonly Row[]): number {
  const values = group.flatMap(({ value }) => (value === null || value <= 0 ? [] : Math.log(value)))
  return values.length < 2 ? 0 : Math.max(...values) - Math.min(...values)
}
