import type { Block, BlockReader, TextImporter } from '../../importers/importer'

/** Hands a text to one importer as the document would: opens a block where it detects one, ends it where it says so. */
export function readBlocks(importer: TextImporter, text: string, clearsScreen: readonly number[] = []): Block[] {
  const blocks: Block[] = []
  let reader: BlockReader | null = null
  const close = (cut: boolean) => {
    const block = reader?.end(cut) ?? null
    reader = null
    if (block !== null) blocks.push(block)
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const number = index + 1
    const line = { number, text: raw, raw, ...(clearsScreen.includes(number) ? { clearsScreen: true } : {}) }
    const answer = reader?.push(line) ?? 'not-mine'
    if (answer === 'taken' || answer === 'passed') continue
    close(false)
    if (answer === 'last' || !importer.detect(line)) continue
    reader = importer.open()
    if (reader.push(line) !== 'taken') close(false)
  }
  close(true)
  return blocks
}
