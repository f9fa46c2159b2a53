/**
 * Jupyter notebooks, format 4 (https://github.com/jupyter/nbformat/blob/v5.10.4/nbformat/v4/nbformat.v4.5.schema.json): texts
 * are strings or lists of lines, and a cell's source comes after its outputs.
 *
 *     {"cells": [{"cell_type": "code", "outputs": [{"name": "stdout", "output_type": "stream",
 *       "text": ["\n", "Summary:\n", "  Total:\t0.2196 secs\n"]}], "source": ["!hey -n 600 http://127.0.0.1:18080/"]}]}
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { Bytes } from '../importer'
import { openText } from '../text/bytes'
import { decodeHead } from '../text/text-head'
import type { Place } from './relocate'

/** Larger ones hold pictures; their text is far smaller. */
const maxBytes = 64 * 1024 * 1024

const multiline = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (Array.isArray(text) ? text.join('') : text))

const outputSchema = z.object({
  text: multiline.optional(),
  data: z.looseObject({ 'text/plain': multiline.optional().catch(undefined) }).optional(),
})

const cellSchema = z.object({
  cell_type: z.string(),
  source: multiline.default(''),
  outputs: z.array(outputSchema.catch({})).default([]),
})

const notebookSchema = z.object({ cells: z.array(cellSchema) })

/** A notebook as a document: Markdown, then the commands and outputs of code in order. */
export interface NotebookText extends Place {
  readonly text: string
  readonly lineCount: number
}

/** Whether a file begins like a notebook: keys may come in any order. */
export function isNotebook(head: Uint8Array): boolean {
  const start = decodeHead(head, 65_536)
  return (
    /^\s*\{/.test(start) && /"cell_type"\s*:\s*"(?:code|markdown|raw)"/.test(start) && /"cells"\s*:\s*\[/.test(start)
  )
}

/** @throws ImportError `truncated`, `malformed`, `too-large`. */
export async function readNotebook(bytes: Bytes): Promise<NotebookText> {
  const file = await readWhole(bytes)
  const notebook = notebookSchema.safeParse(parse(file))
  if (!notebook.success)
    throw new ImportError('malformed', 'this is a notebook whose cells cannot be read', {
      line: 1,
      hint: 'Save it again in format 4 (Jupyter), or upload the output alone.',
    })
  const starts = findCells(file)
  const lines: string[] = []
  const cells: number[] = []
  for (const [at, { cell_type: kind, source, outputs }] of notebook.data.cells.entries()) {
    const parts = kind === 'code' ? [fence('sh', readCommands(source)), ...outputs.map(readOutput)] : [source]
    for (const part of parts.filter((text) => text.trim() !== ''))
      for (const line of [...part.split('\n'), '']) {
        lines.push(line)
        cells.push(at)
      }
  }
  const lineCount = countFeeds(file, file.length) + 1
  const cellOf = (line: number) => cells[line - 1] ?? 0
  return {
    text: lines.join('\n'),
    lineCount,
    lineOf: (line) => starts[cellOf(line)] ?? 1,
    endOf(line) {
      const start = starts[cellOf(line)] ?? 1
      return Math.max(start, (starts[cellOf(line) + 1] ?? lineCount + 1) - 1)
    },
    nameOf: (line) => (line === null ? 'in the notebook' : `in cell ${cellOf(line) + 1}`),
  }
}

async function readWhole(bytes: Bytes): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let size = 0
  for await (const chunk of (await openText(bytes)).bytes) {
    size += chunk.length
    if (size > maxBytes)
      throw new ImportError('too-large', 'this notebook is larger than 64 MiB', {
        offset: maxBytes,
        hint: 'Clear its pictures, or upload the output alone.',
      })
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join('') + decoder.decode()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportError('truncated', 'this notebook is not complete JSON: nothing in it can be read', {
      line: 1,
      hint: 'Upload the whole .ipynb file.',
    })
  }
}

/** Shell commands as a notebook runs them: `!hey …`, and everything below `%%bash`. */
function readCommands(source: string): string {
  const lines = source.split('\n')
  if (/^%%(?:bash|sh|script|!)/.test(source)) return lines.slice(1).join('\n')
  return lines.flatMap((line) => /^\s*!\s*(\S.*)$/.exec(line)?.[1] ?? []).join('\n')
}

const readOutput = ({ text, data }: z.infer<typeof outputSchema>): string =>
  fence('text', text ?? data?.['text/plain'] ?? '')

/** A fence that no line of the text can close. */
const fence = (language: string, text: string): string =>
  text.trim() === '' ? '' : `\`\`\`\`\`\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\`\`\`\`\``

/** Lines where cells begin: each has one `cell_type`, and no text can contain that key unescaped. */
function findCells(file: string): number[] {
  const starts: number[] = []
  let line = 1
  let counted = 0
  for (const { index } of file.matchAll(/"cell_type"\s{0,4}:/g)) {
    line += countFeeds(file.slice(counted, index), index - counted)
    counted = index
    starts.push(line)
  }
  return starts
}

function countFeeds(text: string, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
