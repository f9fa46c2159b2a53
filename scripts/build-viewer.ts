/** `npm run build:viewer`: the page without a server alone, in seconds. */
import path from 'node:path'
import { bundleViewer } from './bundle-viewer'

const root = process.cwd()
await bundleViewer(root, path.join(root, 'dist/viewer'))
