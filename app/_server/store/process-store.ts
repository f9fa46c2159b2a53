import path from 'node:path'
import { settings } from '../settings'
import { BucketStore } from './bucket-store'
import { FolderStore } from './folder-store'
import type { RawStore } from './raw-store'

/** The store of this process: a bucket, or `raw/` in the data folder. */
export function rawStore(): RawStore {
  const { bucket, dataFolder } = settings()
  return bucket === null ? new FolderStore(path.join(dataFolder, 'raw')) : new BucketStore(bucket)
}
