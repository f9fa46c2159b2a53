/** Words that name what is done; another one is another operation, not another way of doing the same. */
const operations = new Set([
  'get',
  'send',
  'put',
  'post',
  'patch',
  'delete',
  'read',
  'write',
  'receive',
  'create',
  'update',
  'list',
  'encode',
  'decode',
])

const tokensOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]+/)

/** The operation that a name speaks of; null when it names none, or several. */
function operationOf(name: string): string | null {
  const named = tokensOf(name).filter((token) => operations.has(token))
  return named.length === 1 ? (named[0] ?? null) : null
}

/**
 * Pairs of names that differ in exactly one token (`get_json_data` and `get_protobuf_data`): candidates for a comparison.
 * Names of different operations (get and send) are never paired.
 */
export function pairNames(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.flatMap((name, at) => {
    const left = tokensOf(name)
    return names.slice(at + 1).flatMap((other) => {
      const right = tokensOf(other)
      const different = left.filter((token, index) => token !== right[index])
      const alike = left.length === right.length && different.length === 1 && operationOf(name) === operationOf(other)
      return alike ? [[name, other] as const] : []
    })
  })
}

/**
 * What a column is compared with: `baseline`, unless every column names one operation and this one's is another; then
 * the column of its own operation whose name is most like the baseline's (`send_protobuf` beside `get_protobuf`).
 */
export function baselineOf(column: string, columns: readonly string[], baseline: string): string {
  const operation = operationOf(column)
  if (operation === operationOf(baseline) || columns.some((one) => operationOf(one) === null)) return baseline
  const wanted = new Set(tokensOf(baseline))
  const shared = (name: string) => tokensOf(name).filter((token) => wanted.has(token)).length
  const own = columns.filter((one) => operationOf(one) === operation)
  return own.reduce((best, one) => (shared(one) > shared(best) ? one : best), own[0] ?? baseline)
}
