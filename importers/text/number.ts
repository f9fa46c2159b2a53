const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/

/** Reads a printed decimal (`0.0042`, `1.28E8`). Null when the text is not one: `NaN`, `-nan`, `1,5`, empty. */
export function parseDecimal(text: string): number | null {
  return decimal.test(text) ? Number(text) : null
}

/**
 * Reads a printed decimal times a power of ten, rounded once: `0.0069` s is 6.9 ms, while 0.0069 * 1000 is
 * 6.8999999999999995. Null: not a plain decimal.
 */
export function parseScaled(text: string, powerOfTen: number): number | null {
  return decimal.test(text) && !/e/i.test(text) ? Number(`${text}e${powerOfTen}`) : null
}

const grouped = /^\d{1,3}(?:([,'’_])\d{3})(?:\1\d{3})*(\.\d+)?$/

/**
 * A printed decimal without thousands separators: `1,234.56` is `1234.56`. Null if that is uncertain: `1,234` is a
 * count, but may be a decimal with a comma. A text without such separators is returned unchanged.
 */
export function withoutThousands(text: string, kind: 'decimal' | 'count'): string | null {
  if (!/[,'’_]/.test(text)) return text
  const [, mark, decimals] = grouped.exec(text) ?? []
  if (mark === undefined) return null
  const isCertain = kind === 'count' || decimals !== undefined || mark !== ','
  return isCertain ? text.replaceAll(mark, '') : null
}

/** Reads a printed count of whole things (`1841`). Null: not one, or beyond exact integers. */
export function parseCount(text: string): number | null {
  if (!/^\d{1,16}$/.test(text)) return null
  const count = Number(text)
  return Number.isSafeInteger(count) ? count : null
}
