import { ImageResponse } from 'next/og'
import { drawFile, toSvg, type FileText } from '@/components/charts/plot/file'
import { resolve } from '@/lib/theme'
import { plotOf } from '@/components/shared/comparison-files'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { themes } from '../_server/themes'

/** Size that chat programs and social sites ask of a link preview, px. */
export const previewSize = { width: 1200, height: 630 } as const

/** A colour of the light theme: previews have no other. */
export const light = resolve(themes.light)

/** The image font knows Latin only, and anything else would be fetched from the internet: it becomes the nearest sign. */
export function typeable(text: string): string {
  return text
    .replace(/[\u2212\u2010-\u2015]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u203a\u2192]/g, '>')
    .replace(/[^\u0020-\u007e\u00a1-\u00ff]/gu, '?')
}

/** A text of so many characters at most. */
export const clipped = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 3)}...` : text)

/** A share's percentile plot as PNG; with `head`, what is compared and the verdict stand above it. */
export function chartImage(
  prepared: PreparedComparison,
  head: { name: string; sentence: string; doubt: string } | null,
): Response {
  const { width, height } = previewSize
  const [paper, strong, muted] = [light('var(--bg)'), light('var(--text)'), light('var(--muted)')]
  const top = head ? 210 : 0
  const plot = plotOf(prepared)
  const drawn = plot && drawFile(plot, { width: width - 40, height: height - top - 20 }, light)
  const source = drawn && `data:image/svg+xml;base64,${Buffer.from(toSvg(drawn, '', light, false)).toString('base64')}`
  return new ImageResponse(
    <div style={{ display: 'flex', width, height, background: paper, color: strong, position: 'relative' }}>
      {head && (
        <div style={{ display: 'flex', flexDirection: 'column', position: 'absolute', left: 40, top: 30, width: 1120 }}>
          <div style={{ fontSize: 26, color: muted }}>{typeable(clipped(head.name, 80))}</div>
          <div style={{ fontSize: 40, lineHeight: 1.2, marginTop: 8 }}>{typeable(clipped(head.sentence, 104))}</div>
          <div style={{ fontSize: 22, marginTop: 6, color: muted }}>{typeable(clipped(head.doubt, 110))}</div>
        </div>
      )}
      {drawn && source ? (
        <div style={{ display: 'flex', position: 'absolute', left: 20, top, width: drawn.width, height: drawn.height }}>
          <img src={source} alt="" width={drawn.width} height={drawn.height} />
          {drawn.texts.map((text) => (
            <Words key={`${text.x} ${text.y}`} {...text} />
          ))}
        </div>
      ) : (
        <div style={{ position: 'absolute', left: 40, top: 300, fontSize: 26, color: muted }}>
          No percentiles printed
        </div>
      )}
    </div>,
    { width, height, headers: { 'cache-control': 'private, no-store' } },
  )
}

function Words({ x, y, text, anchor, isStrong }: FileText) {
  const width = 700
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  const justifyContent = anchor === 'start' ? 'flex-start' : anchor === 'end' ? 'flex-end' : 'center'
  const color = light(isStrong ? 'var(--text)' : 'var(--muted)')
  return (
    <div
      style={{ display: 'flex', justifyContent, position: 'absolute', left, top: y - 15, width, fontSize: 15, color }}
    >
      {typeable(clipped(text.replace('…', '...'), 80))}
    </div>
  )
}
