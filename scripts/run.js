/** `npm run judge` and the like: from a bundle of these sources, else through a compiler, which takes a second. */
import { findBundle } from './find-bundle.js'

const [name] = process.argv.splice(2, 1)
const bundle = findBundle(name)
if (bundle === null) {
  await import('tsx')
  await import(`./${name}.ts`)
} else await import(bundle)
