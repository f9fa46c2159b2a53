import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readThemes } from '@/lib/theme'

/** The colours of both themes from the tokens, for files, which have no style sheet. */
export const themes = readThemes(readFileSync(path.join(process.cwd(), 'app', 'tokens.css'), 'utf8'))
