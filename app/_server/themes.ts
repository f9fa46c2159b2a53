import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readThemes } from '@/lib/theme'

/** The colours of both themes as the tokens have them, for files, which have no style sheet. */
export const themes = readThemes(readFileSync(path.join(process.cwd(), 'app', 'tokens.css'), 'utf8'))
