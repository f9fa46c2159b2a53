import { ImageResponse } from 'next/og'
import type { ReactNode } from 'react'
import type { Plot } from '@/components/charts/plot/model'
import { drawFile, stateSvg, toSvg, type ColorOf, type FileText } from '@/components/charts/plot/file'
import type { JudgedChip } from '@/components/run/judgement/judged-chips'
import { factWords, type ShareFace } from '@/components/shared/share-face'
import type { JudgedState } from '@/lib/run/judged-states'
import { resolve } from '@/lib/theme'
import { imageFonts } from './image-fonts'
import { previewSize } from './preview-size'
import { themes } from '../_server/themes'

/** The theme of a picture. */
export type ImageTheme = 'light' | 'dark'

/** A colour of the tokens in a theme. */
export const colorIn = (theme: ImageTheme): ColorOf => resolve(themes[theme])

/** Any other sign would be fetched from the internet as a font that has it. */
const untypeable =
  /[^\u0020-\u007e\u00a0-\u00ff\u2009\u2010-\u2015\u2018-\u201d\u2026\u2190-\u2193\u2212\u203a\u2248\u2260\u2264\u2265\u221e]/gu

/** A text in the signs that the type of pictures has (app/fonts). */
export const typeable = (text: string): string =>
  text.replace(/[\u2000-\u2008\u200a\u202f]/g, '\u00a0').replace(untypeable, '?')

/** A text of at most this many characters. */
export const clipped = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

const { width } = previewSize
const margin = 40
/**
 * Texts of plots are 15 px high in the plot's own px, and must be 20 in the picture: a chat shows it at half its size.
 */
const scale = 4 / 3
const footPx = 52

interface PreviewOf {
  readonly projectName: string
  readonly face: ShareFace
  readonly theme: ImageTheme
  /** In px; absent: that of a preview. */
  readonly height?: number
  /** Between the sentences and the facts at the foot; `top`: where it begins, px. */
  readonly body: (box: { readonly top: number; readonly bottom: number; readonly color: ColorOf }) => ReactNode
}

/**
 * The picture of a link: whose it is, its verdict and how sure that is, what shows it, and when and how it was
 * measured.
 */
export function previewImage({ projectName, face, theme, height = previewSize.height, body }: PreviewOf): Response {
  const color = colorIn(theme)
  const { chips, doubt, facts } = face
  const sentence = typeable(clipped(face.sentence, 3 * letters))
  const lines = Math.ceil(sentence.length / letters)
  const said = typeable(clipped(doubt, 2 * doubtLetters))
  const doubtLines = Math.ceil(said.length / doubtLetters)
  const chipsPx = chips.length === 0 ? 0 : 52
  const top = 106 + lines * 42 + chipsPx + (doubtLines === 0 ? 0 : 20 + doubtLines * 26)
  const wide = width - 2 * margin
  return picture(
    color,
    height,
    <>
      <div
        style={{ display: 'flex', flexDirection: 'column', position: 'absolute', left: margin, top: 24, width: wide }}
      >
        <div style={{ display: 'flex', fontSize: 22, color: color('var(--muted)') }}>
          <span style={{ color: color('var(--accent-text)'), marginRight: 12, fontWeight: 600 }}>Tailboard</span>
          {typeable(clipped(projectName, 80))}
        </div>
        <div style={{ fontSize: 26, marginTop: 2 }}>{typeable(clipped(face.subject, 74))}</div>
        <div style={{ display: 'flex', marginTop: 6, fontSize: 34, fontWeight: 600, lineHeight: 1.23 }}>{sentence}</div>
        {chips.length > 0 && (
          <div style={{ display: 'flex', marginTop: 10 }}>
            {chips.map((chip) => (
              <Chip key={chip.words} {...chip} color={color} />
            ))}
          </div>
        )}
        {said !== '' && (
          <div style={{ display: 'flex', marginTop: 8 }}>
            <div style={{ ...pill, fontSize: 20, color: color('var(--muted)'), background: color('var(--raised)') }}>
              {said}
            </div>
          </div>
        )}
      </div>
      {body({ top, bottom: height - footPx, color })}
      <div style={{ position: 'absolute', left: margin, bottom: 16, fontSize: 20, color: color('var(--muted)') }}>
        {typeable(clipped(factWords(facts).join('  ·  '), 104))}
      </div>
    </>,
  )
}

/** Letters of a sentence that fit a line. */
const letters = 60

/** Letters of a caution that fit a line. */
const doubtLetters = 104

const pill = { display: 'flex', alignItems: 'center', padding: '4px 16px', borderRadius: 18 } as const

function picture(color: ColorOf, height: number, children: ReactNode): Response {
  const ground = { background: color('var(--bg)'), color: color('var(--text)'), fontFamily: 'Inter' }
  return new ImageResponse(
    <div style={{ display: 'flex', width, height, position: 'relative', ...ground }}>{children}</div>,
    {
      width,
      height,
      fonts: imageFonts,
      headers: { 'cache-control': 'private, no-store' },
    },
  )
}

/** Colour and tint of each state. */
const tints: Readonly<Partial<Record<JudgedState, 'worse' | 'unusual' | 'better'>>> = {
  failing: 'worse',
  worse: 'worse',
  invalid: 'worse',
  unusual: 'unusual',
  better: 'better',
}

function Chip({ state, words, color }: JudgedChip & { readonly color: ColorOf }) {
  const tint = tints[state]
  const ink = color(tint === undefined ? 'var(--muted)' : `var(--${tint})`)
  const background = color(tint === undefined ? 'var(--raised)' : `var(--${tint}-bg)`)
  return (
    <div style={{ ...pill, flexShrink: 0, marginRight: 12, fontSize: 24, color: ink, background }}>
      <img src={dataUrl(stateSvg(state, 20, ink))} alt="" width={20} height={20} style={{ marginRight: 8 }} />
      {typeable(clipped(words, 40))}
    </div>
  )
}

const dataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

interface DrawingProps {
  /** Null: it has no percentiles. */
  readonly plot: Plot | null
  readonly top: number
  readonly bottom: number
  readonly color: ColorOf
}

/** A plot across the picture. */
export function Drawing({ plot, top, bottom, color }: DrawingProps) {
  if (plot === null) {
    const place = { position: 'absolute', left: margin, top: top + 60, fontSize: 26 } as const
    return <div style={{ ...place, color: color('var(--muted)') }}>No percentiles printed</div>
  }
  const [wide, high] = [width - margin, bottom - top]
  const { legend: _, ...unnamed } = plot
  // A single line is named above.
  const drawn = drawFile(
    plot.series.length === 1 ? unnamed : plot,
    { width: Math.floor(wide / scale), height: Math.floor(high / scale) },
    color,
  )
  return (
    <div style={{ display: 'flex', position: 'absolute', left: 20, top, width: wide, height: high }}>
      <img src={dataUrl(toSvg(drawn, '', color, { hasTexts: false }))} alt="" width={wide} height={high} />
      {apart(drawn.texts).map((text) => (
        <Words key={`${text.x} ${text.y}`} {...text} color={color} />
      ))}
    </div>
  )
}

/** Labels at the ends of lines that are close, as they come from a plot of a page's height, one below the other. */
function apart(texts: readonly FileText[]): readonly FileText[] {
  const placed: FileText[] = []
  for (const text of [...texts].sort((a, b) => a.y - b.y)) {
    const above = placed.filter(({ x, isStrong }) => isStrong && text.isStrong && x === text.x).at(-1)
    placed.push(above === undefined ? text : { ...text, y: Math.max(text.y, above.y + labelPx) })
  }
  return placed
}

/** Distance of two lines of words, px of the plot. */
const labelPx = 17

function Words({ x, y, text, anchor, isStrong, color: colorOf }: FileText & { readonly color: ColorOf }) {
  const wide = 900
  const left = x * scale - (anchor === 'start' ? 0 : anchor === 'end' ? wide : wide / 2)
  const justifyContent = anchor === 'start' ? 'flex-start' : anchor === 'end' ? 'flex-end' : 'center'
  const color = colorOf(isStrong ? 'var(--text)' : 'var(--muted)')
  const place = { position: 'absolute', left, top: (y - 15) * scale, width: wide } as const
  return (
    <div style={{ display: 'flex', justifyContent, ...place, fontSize: 20, color }}>{typeable(clipped(text, 80))}</div>
  )
}
