/**
 * `npm run build:cli`, `npm run build:viewer -- [https://…]`: the commands, or the page without a server, alone, in
 * seconds. The address is that of the server to which the page may send files.
 */
import path from 'node:path'
import { bundleCommands } from './bundle-commands'
import { bundleViewer } from './bundle-viewer'

const root = process.cwd()
if (process.argv[2] === 'viewer') await bundleViewer(root, path.join(root, 'dist/viewer'), process.argv[3] ?? '')
else await bundleCommands(root)
