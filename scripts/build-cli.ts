/** `npm run build:cli`: the commands alone, in seconds. */
import { bundleCommands } from './bundle-commands'

await bundleCommands(process.cwd())
