import { clipCell } from '@/components/shared/matrix-files'
import type { ColorOf } from '@/components/charts/plot/file'
import { clipped, typeable } from './preview-image'

const rowPx = 50
const gapPx = 12
/** Width of a letter, as a share of its height. */
const letterShare = 0.56
const maxColumns = 4

interface Props {
  /** The head, then the rows; the first cell of each is its name. */
  readonly lines: readonly (readonly string[])[]
  readonly top: number
  readonly bottom: number
  readonly color: ColorOf
}

/** A table in the picture of a link: as many of its rows and columns as fit. */
export function TableDrawing({ lines, top, bottom, color }: Props) {
  const columns = Math.min(maxColumns, (lines[0]?.length ?? 1) - 1)
  const narrow = Math.floor(1120 / (columns + 1.4))
  const wide = Math.floor(narrow * 1.4)
  const maxLines = Math.floor((bottom - top) / rowPx)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', position: 'absolute', left: 40, top, width: 1120 }}>
      {lines.slice(0, maxLines).map((cells, row) => (
        <div
          key={row}
          style={{
            display: 'flex',
            alignItems: 'center',
            height: rowPx,
            borderBottom: `1px solid ${color('var(--line)')}`,
            fontSize: 22,
          }}
        >
          {cells.slice(0, columns + 1).map((cell, at) => (
            <div
              key={at}
              style={{
                display: 'flex',
                width: at === 0 ? wide : narrow,
                paddingRight: at === 0 ? gapPx : 0,
                paddingLeft: at === 0 ? 0 : gapPx,
                justifyContent: at === 0 ? 'flex-start' : 'flex-end',
                color: color(row === 0 || cell === '–' ? 'var(--muted)' : 'var(--text)'),
              }}
            >
              {at === 0 || row === 0 ? (
                <Name text={cell} px={at === 0 ? wide : narrow} />
              ) : (
                <Figure text={cell} px={narrow} color={color} />
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

const lettersIn = (px: number, fontPx: number): number => Math.floor((px - gapPx) / (fontPx * letterShare))

/** A name in one line, or in two smaller ones if it is long. */
function Name({ text, px }: { readonly text: string; readonly px: number }) {
  const isLong = text.length > lettersIn(px, 22)
  const most = isLong ? 2 * lettersIn(px, 17) - 6 : text.length
  return (
    <div style={{ display: 'flex', fontSize: isLong ? 17 : 22, lineHeight: 1.2 }}>{typeable(clipped(text, most))}</div>
  )
}

/** A value with its verdict below it. */
function Figure({ text, px, color }: { readonly text: string; readonly px: number; readonly color: ColorOf }) {
  const [, value = text, said = ''] = /^(.*?)(?: (\(.*))?$/.exec(text) ?? []
  const isLong = value.length > lettersIn(px, 22)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end' }}>
      <div style={{ display: 'flex', fontSize: isLong ? 17 : 22, lineHeight: 1.15 }}>
        {typeable(clipped(value, lettersIn(px, isLong ? 17 : 22)))}
      </div>
      {said !== '' && (
        <div style={{ display: 'flex', fontSize: 16, color: color('var(--muted)') }}>
          {typeable(clipCell(said, lettersIn(px, 16)))}
        </div>
      )}
    </div>
  )
}
