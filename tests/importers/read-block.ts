import { BlockFinder } from '../../importers/document/block-finder'
import type { Block, TextImporter } from '../../importers/importer'

/**
 * The blocks that one importer finds in a text. Throws the importer's error for a block in which nothing can be read.
 */
export function readBlocks(importer: TextImporter, text: string, clearsScreen: readonly number[] = []): Block[] {
  const blocks: Block[] = []
  const finder = new BlockFinder([importer], {
    plain: () => undefined,
    found: ({ block }) => blocks.push(block),
    failed: (error) => {
      throw error
    },
  })
  for (const [index, raw] of text.split('\n').entries()) {
    const number = index + 1
    const line = { number, text: raw, raw, ...(clearsScreen.includes(number) ? { clearsScreen: true } : {}) }
    finder.push(line, null)
  }
  finder.end()
  return blocks
}
