import path from 'node:path'
import { settings } from '../settings'
import { bucketStore } from './bucket-store'
import { folderStore } from './folder-store'
import type { RawStore } from './raw-store'

/** The store of this process: a bucket, or `raw/` in the data folder. */
export function rawStore(): RawStore {
  const { bucket, dataFolder } = settings()
  return bucket === null ? folderStore(path.join(dataFolder, 'raw')) : bucketStore(bucket)
}
