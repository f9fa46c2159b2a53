import { readFileSync } from 'node:fs'
import path from 'node:path'

const weights = [400, 600] as const
const bytesOf = (weight: number) => readFileSync(path.join(process.cwd(), 'app', 'fonts', `inter-${weight}.woff`))
const files = weights.map((weight) => ({ weight, bytes: bytesOf(weight) }))

/** The product's type in the form that a picture is set with. */
export const imageFonts = files.map(({ weight, bytes: data }) => ({
  name: 'Inter',
  weight,
  data,
  style: 'normal' as const,
}))

/** The same for an SVG file, which has no other file to read it from. */
export const fontFaces = files
  .map(
    ({ weight, bytes }) =>
      `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/woff;base64,${bytes.toString('base64')})}`,
  )
  .join('')
