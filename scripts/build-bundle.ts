/** `npm run build:cli`, `npm run build:viewer`: the commands, or the page without a server, alone, in seconds. */
import path from 'node:path'
import { bundleCommands } from './bundle-commands'
import { bundleViewer } from './bundle-viewer'

const root = process.cwd()
if (process.argv[2] === 'viewer') await bundleViewer(root, path.join(root, 'dist/viewer'))
else await bundleCommands(root)
