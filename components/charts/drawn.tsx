import type { Markup } from './markup'

/** Markup in its place; the one file that may put any into a page. */
export function Drawn({ as: Element, markup }: { as: 'g' | 'thead' | 'tbody'; markup: Markup }) {
  return <Element dangerouslySetInnerHTML={{ __html: String(markup) }} />
}
