/**
 * `backup`, `restore` and `password`: as the build bundled them if it is of these sources, else through a compiler. In a
 * package there is only the build.
 */
import { load, root, servedBuild } from './served-build.js'

const [name] = process.argv.splice(2, 1)
process.chdir(root)
const build = await servedBuild()
if (build === null) {
  // Settings name the threads of a build in production only.
  delete process.env.NODE_ENV
  await import('tsx')
  await import(`./data/${name}.ts`)
} else {
  Object.assign(process.env, { NODE_ENV: 'production', TAILBOARD_BUILD: build })
  await load(build, `${name}.mjs`)
}
