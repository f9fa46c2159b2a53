import { escapeMarkup } from '../../lib/escape'

/**
 * Elements as text: a drawing has hundreds of lines, ticks and marks that React would make, send and compare one by
 * one, though none of them ever changes. Only `element` and `words` make markup, and both escape their input: text from
 * a user or a tool stays text.
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

/** Attributes of an element; undefined and empty ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Text between tags. */
export const words = (text: string): Markup => new Text(escapeMarkup(text))

/** One after the other. */
export const joined = (...parts: readonly Markup[]): Markup => new Text(parts.join(''))

/** An element. `inner` absent: the element is void. */
export function element(name: string, attributes: Attributes, inner?: Markup): Markup {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === '') continue
    text += ` ${key}="${typeof value === 'number' ? value : escapeMarkup(value)}"`
  }
  return new Text(inner === undefined ? `${text}/>` : `${text}>${inner}</${name}>`)
}

/** Markup in its place; only this file may insert any into a page. */
export function RenderedMarkup({ as: Element, markup }: { as: 'g' | 'thead' | 'tbody'; markup: Markup }) {
  return <Element dangerouslySetInnerHTML={{ __html: String(markup) }} />
}
