/**
 * `npm run parse` and the like: from the build if it matches the sources, else through a compiler, which takes a
 * second.
 */
import { load, servedBuild } from './served-build.js'

const [name] = process.argv.splice(2, 1)
const build = await servedBuild()
if (build === null) {
  await import('tsx')
  await import(`./${name}.ts`)
} else await load(build, `${name}.mjs`)
