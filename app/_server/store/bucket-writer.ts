import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { StoredBytes } from '../archive/open-zip'
import type { BucketClient } from './bucket-client'
import type { RawWriter } from './raw-store'

/** The smallest part that S3 accepts: this much of an upload is held in memory, and as much again in transit. */
const partBytes = 5 * 1024 ** 2

/** Where objects of one bucket are. */
export interface BucketPlaces {
  /** Key of a finished file, by its SHA-256. */
  final(sha256: string): string
  /** Key of a file in transit. */
  incoming(id: string): string
}

interface SentPart {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/**
 * An upload on its way into a bucket. What fits into one part waits in memory and is put in place at once, under its
 * final name, which is known by then. More goes in parts, as it arrives, to a place of its own, and is copied within
 * the store at the end.
 */
export class BucketWriter implements RawWriter {
  private readonly place: string
  private chunks: Uint8Array[] = []
  private waitingBytes = 0
  private sizeBytes = 0
  private uploadId: string | undefined
  private readonly parts: SentPart[] = []
  private sending: Promise<void> = Promise.resolve()
  /** `parts`: sent as such, if at all; `object`: the parts are one object; `over`: kept or forgotten. */
  private state: 'parts' | 'object' | 'over' = 'parts'

  constructor(
    private readonly client: BucketClient,
    private readonly places: BucketPlaces,
  ) {
    this.place = places.incoming(randomUUID())
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.chunks.push(chunk)
    this.waitingBytes += chunk.byteLength
    this.sizeBytes += chunk.byteLength
    if (this.waitingBytes > partBytes) await this.sendWaiting()
  }

  async sync(): Promise<void> {
    if (this.uploadId === undefined || this.state !== 'parts') return
    if (this.waitingBytes > 0) await this.sendWaiting()
    await this.sending
    const { uploadId: UploadId } = this
    const MultipartUpload = { Parts: this.parts }
    await this.client.ask((s3, bucket) =>
      s3.completeMultipartUpload({ ...bucket, Key: this.place, UploadId, MultipartUpload }),
    )
    this.state = 'object'
  }

  async stored(): Promise<StoredBytes> {
    await this.sync()
    if (this.state === 'object') return storedObject(this.client, this.place, this.sizeBytes)
    const whole = Buffer.concat(this.chunks)
    this.chunks = [whole]
    return { sizeBytes: whole.length, read: (start, end) => Readable.from([whole.subarray(start, end)]) }
  }

  async keep(sha256: string): Promise<{ sizeBytes: number }> {
    const { sizeBytes } = this
    const Key = this.places.final(sha256)
    if (this.state === 'object') {
      await this.client.ask((s3, bucket) =>
        s3.copyObject({ ...bucket, Key, CopySource: encodeURI(`${bucket.Bucket}/${this.place}`) }),
      )
      await this.discard() // the copy is there
    } else {
      const Body = Buffer.concat(this.chunks)
      await this.client.ask((s3, bucket) => s3.putObject({ ...bucket, Key, Body, ContentLength: sizeBytes }))
    }
    this.end()
    return { sizeBytes }
  }

  /** If the store is away as well, the sweep removes it later. */
  async discard(): Promise<void> {
    const { state, uploadId: UploadId, place: Key } = this
    this.end()
    if (UploadId === undefined || state === 'over') return
    await this.sending.catch(() => undefined) // reported to the writer
    const removed = this.client.ask((s3, bucket) =>
      state === 'object' ? s3.deleteObject({ ...bucket, Key }) : s3.abortMultipartUpload({ ...bucket, Key, UploadId }),
    )
    await removed.catch(() => undefined) // logged already; what ended the upload is reported, not this
  }

  private end(): void {
    this.state = 'over'
    this.chunks = []
  }

  /** Sends the waiting bytes as the next part once the previous one has arrived; further bytes come meanwhile. */
  private async sendWaiting(): Promise<void> {
    const body = Buffer.concat(this.chunks)
    this.chunks = []
    this.waitingBytes = 0
    await this.sending
    if (this.uploadId === undefined) {
      const { UploadId } = await this.client.ask((s3, bucket) =>
        s3.createMultipartUpload({ ...bucket, Key: this.place }),
      )
      this.uploadId = UploadId
    }
    this.sending = this.sendPart(body)
    this.sending.catch(() => undefined) // reported by the next write, or at the end
  }

  private async sendPart(Body: Buffer): Promise<void> {
    const { uploadId: UploadId, place: Key } = this
    const PartNumber = this.parts.length + 1
    const { ETag } = await this.client.ask((s3, bucket) =>
      s3.uploadPart({ ...bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length }),
    )
    this.parts.push({ PartNumber, ETag })
  }
}

/** An object of which any range can be read. */
export function storedObject(client: BucketClient, key: string, sizeBytes: number): StoredBytes {
  return {
    sizeBytes,
    read: (start, end) =>
      end > start ? Readable.from(client.read(key, { start, end }), { objectMode: false }) : Readable.from([]),
  }
}
