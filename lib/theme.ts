/**
 * Colours by CSS variable (`--series-1`), for places without our style sheet: files, mails, badges, a browser's bar.
 */
export type Theme = Readonly<Record<string, string>>

/** Both themes. */
export interface Themes {
  readonly light: Theme
  readonly dark: Theme
}

const hex = '#[0-9a-f]{3,8}'
const either = new RegExp(`^light-dark\\((${hex}), (${hex})\\)$`, 'i')

/**
 * Reads the tokens (app/tokens.css): `--x: #fff` of the light block and of the dark one after it, or `light-dark(…)`.
 */
export function readThemes(css: string): Themes {
  const [first = '', ...more] = css.split('}')
  const read = (block: string) =>
    block.split(';').flatMap((declaration) => {
      const [name = '', value] = (declaration.split('\n').at(-1) ?? '').trim().split(': ')
      return value === undefined || !name.startsWith('--') ? [] : [[name, either.exec(value) ?? value] as const]
    })
  const side = (block: string, at: 1 | 2): Theme =>
    Object.fromEntries(
      read(block).map(([name, value]) => [name, typeof value === 'string' ? value : (value[at] ?? '')]),
    )
  return { light: side(first, 1), dark: { ...side(first, 2), ...side(more.join('}'), 2) } }
}

/** Resolves `var(--series-1)` in this theme. */
export const resolve =
  (theme: Theme) =>
  (color: string): string =>
    theme[/^var\((--[\w-]+)\)$/.exec(color)?.[1] ?? ''] ?? color

/** Both themes as a style sheet for a standalone page; variables that no plot needs are left out. */
export function themeSheet({ light, dark }: Themes): string {
  const block = (theme: Theme) =>
    Object.entries(theme)
      .filter(([, value]) => value.startsWith('#'))
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
  return `:root{${block(light)}}@media(prefers-color-scheme:dark){:root{${block(dark)}}}`
}
