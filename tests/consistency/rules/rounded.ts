import type { Seen } from './seen'

const number = String.raw`[+-]?(?:\d{1,3}(?: \d{3})+|\d+)(?:\.\d+)?`
/**
 * How a figure is printed with its unit: in milliseconds, seconds …, percent, kB …; whatever the column heading says.
 */
const factors = [1, 1e-3, 1e3, 1e-6, 1e6, 1e-9, 100]

interface Printed {
  readonly value: number
  /** Half a unit in its last digit. */
  readonly slack: number
}

function printedOf(text: string): Printed {
  const digits = text.replaceAll(' ', '')
  const decimals = digits.split('.')[1]?.length ?? 0
  return { value: Number(digits), slack: 0.5 * 10 ** -decimals * (1 + 1e-9) }
}

const isRounding = ({ value, slack }: Printed, exact: number): boolean => Math.abs(value - exact) <= slack + 1e-12

/** Whether a text is a relative change: `+12.3 %`, `×13.5`. */
function isChange(text: string, ratio: number): boolean {
  const factor = new RegExp(`^×(${number})`).exec(text)?.[1]
  if (factor !== undefined) return isRounding(printedOf(factor), 1 + ratio)
  const percent = new RegExp(`^(${number}) %`).exec(text)?.[1]
  return percent !== undefined && isRounding(printedOf(percent), 100 * ratio)
}

const isFigure = (text: string, exact: number): boolean =>
  factors.some((factor) => isRounding(printedOf(text), exact * factor))

/** Both ends of `51–80`, or of `+1 % to +5 %`. */
function ends(text: string, between: RegExp): readonly [string, string] | null {
  const [low, high, ...more] = text.split(between)
  return low === undefined || high === undefined || more.length > 0 ? null : [low, high]
}

const lastNumber = new RegExp(`(${number})$`)
const firstNumber = new RegExp(`^[≥<>]?\\s*(${number})`)
const alone = new Set(['–', '', '0'])

/** Whether a text is the rounding of its value; null: cannot be determined. */
export function isRounded({ part, value, text }: Seen): boolean | null {
  if (value === null || text === null || alone.has(text) || text.startsWith('–')) return null
  const of = (name: string) => (typeof value[name] === 'number' ? value[name] : null)
  if (part === 'range') {
    const both = ends(text, /–/)
    const [low, high] = [lastNumber.exec(both?.[0] ?? '')?.[1], firstNumber.exec(both?.[1] ?? '')?.[1]]
    if (low === undefined || high === undefined) return null
    // The words before it may end in a digit: `since c15 511–1 409`.
    const lows = [low, low.split(' ').at(-1) ?? low]
    return lows.some((one) => isFigure(one, of('low') ?? NaN)) && isFigure(high, of('high') ?? NaN)
  }
  if (part === 'interval') {
    const both = ends(text, / to | … /)
    const [low, high] = [of('low'), of('high')]
    return both === null || low === null || high === null ? null : isChange(both[0], low) && isChange(both[1], high)
  }
  const exact = of(part)
  if (exact === null) return null
  if (part === 'effect') return isChange(text, exact)
  const first = firstNumber.exec(text.replace(/^before /, ''))?.[1]
  return first === undefined ? null : isFigure(first, exact)
}
