import { escapeMarkup } from '../../lib/escape'

/**
 * Drawings as text: a chart has hundreds of lines, ticks and marks that React would make, send and look at again one by
 * one, though nothing ever changes in them. Only `element` and `words` make markup, and both escape what they are given:
 * whatever a user or a tool wrote stays text.
 */
class Text {
  /** Makes the type nominal: no string, and no object made elsewhere, passes for markup. */
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Elements and words as text. */
export type Markup = Text

/** Text between tags. */
export const words = (text: string): Markup => new Text(escapeMarkup(text))

/** One after the other. */
export const joined = (...parts: readonly Markup[]): Markup => new Text(parts.join(''))

/** An element; attributes that are undefined or empty are left out. `inner` absent: the element is void. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  inner?: Markup,
): Markup {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === '') continue
    text += ` ${key}="${typeof value === 'number' ? value : escapeMarkup(value)}"`
  }
  return new Text(inner === undefined ? `${text}/>` : `${text}>${inner}</${name}>`)
}

/** A share of the box as SVG and CSS take it. */
export const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`

/** Units of the stretched box along each side: fine enough for whole numbers, which are half as long as fractions. */
const units = 10_000
const unitOf = (share: number): number => Math.round(share * units)

/** A box that is stretched over the drawing; strokes in it keep their width (`vector-effect`). */
export const stretched = (inner: Markup): Markup => element('svg', stretchedBox, inner)
const stretchedBox = {
  viewBox: `0 0 ${units} ${units}`,
  preserveAspectRatio: 'none',
  width: '100%',
  height: '100%',
  overflow: 'visible',
}

/** A place in the box: shares of its width from the left and of its height from the top. */
export type Place = readonly [right: number, down: number]

const pair = (right: number, down: number): string => (down < 0 ? `${right}${down}` : `${right} ${down}`)

/** A path through these places, in the stretched box; empty for none. Steps are relative, and so short. */
export function pathThrough(places: readonly Place[]): string {
  let path = ''
  let [atRight, atDown] = [0, 0]
  for (const [at, place] of places.entries()) {
    const [right, down] = [unitOf(place[0]), unitOf(place[1])]
    const step = pair(right - atRight, down - atDown)
    path += at === 0 ? `M${step}` : at === 1 ? `l${step}` : step.startsWith('-') ? step : ` ${step}`
    atRight = right
    atDown = down
  }
  return path
}

/** Something drawn around 0, 0, at this place. */
export const placedAt = ([right, down]: Place, inner: Markup): Markup =>
  element('svg', { x: percent(right), y: percent(down), overflow: 'visible' }, inner)
