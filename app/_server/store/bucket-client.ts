import type { S3 } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import type { BucketSettings } from '../settings'
import { noteStore, StoreError } from './store-error'

/** The bucket of a request. */
export interface InBucket {
  readonly Bucket: string
}

/** Longest that a connection may take, and that a response may be silent, in ms. */
const connectMs = 3_000
const silenceMs = 60_000
/** A slow download holds its connection: with the SDK's own limit of 50, uploads would wait for theirs. */
const maxSockets = 500

/** On globalThis: each route of Next has its own copy of this module in one process, and a client holds connections. */
const key = Symbol.for('tailboard.bucket')

/** A bucket and the client that reaches it. The SDK, tens of megabytes, is loaded with the first request. */
export class BucketClient {
  constructor(private readonly bucket: BucketSettings) {}

  /** Sends one request. Throws StoreError, but passes on the error that reports a missing object: see `isMissing`. */
  async ask<T>(request: (s3: S3, bucket: InBucket) => Promise<T>): Promise<T> {
    try {
      const response = await request(await this.s3(), { Bucket: this.bucket.name })
      noteStore(null)
      return response
    } catch (error) {
      throw isMissing(error) ? error : this.failed(error)
    }
  }

  /** The bytes of an object from `start` to before `end`; without a range, the whole object. */
  async *read(key: string, range?: { readonly start: number; readonly end: number }): AsyncGenerator<Uint8Array> {
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }
    const { Body } = await this.ask((s3, bucket) => s3.getObject({ ...bucket, Key: key, ...Range }))
    if (!(Body instanceof Readable)) throw new Error('The SDK gave no stream.')
    try {
      for await (const chunk of Body as AsyncIterable<Uint8Array>) yield chunk
    } catch (error) {
      throw this.failed(error)
    } finally {
      Body.destroy() // its reader may have stopped early
    }
  }

  private failed(error: unknown): unknown {
    const failure = storeErrorOf(error, this.bucket)
    if (failure instanceof StoreError) noteStore(failure)
    return failure
  }

  private s3(): Promise<S3> {
    const holder = globalThis as { [key]?: { readonly of: string; readonly opening: Promise<S3> } }
    const of = JSON.stringify(this.bucket)
    if (holder[key]?.of !== of) holder[key] = { of, opening: this.open() }
    return holder[key].opening
  }

  private async open(): Promise<S3> {
    // Otherwise each start would warn that a newer Node is required from 2027 on.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
    const sdk = await import('@aws-sdk/client-s3')
    const { endpoint, region, isPathStyle } = this.bucket
    return new sdk.S3({
      ...(endpoint === null ? {} : { endpoint }),
      ...(region === null ? {} : { region }),
      forcePathStyle: isPathStyle,
      maxAttempts: 3,
      // Many other vendors' servers do not know the newer checksums. A body is signed with its SHA-256 anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectMs,
        socketTimeout: silenceMs,
        httpAgent: { maxSockets, keepAlive: true },
        httpsAgent: { maxSockets, keepAlive: true },
      },
    })
  }
}

/** The SDK's description of a failure. */
interface Said {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const said = (error: unknown): Said => (typeof error === 'object' && error !== null ? error : {})

/** Whether there is no such object, or no such multipart upload. */
export function isMissing(error: unknown): boolean {
  const { name, $metadata } = said(error)
  return $metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket'
}

const noRoom = new Set(['XMinioStorageFull', 'InsufficientStorage', 'QuotaExceeded', 'NoSpaceLeft'])

/** Describes a failed request to the bucket; a full bucket is reported like a full disk. */
function storeErrorOf(error: unknown, { name: bucket, endpoint }: BucketSettings): unknown {
  if (error instanceof StoreError) return error
  const { name = '', message = '', code = '', $metadata } = said(error)
  const status = $metadata?.httpStatusCode
  if (status === 507 || noRoom.has(name))
    return Object.assign(new Error(`The bucket ${bucket} is full.`, { cause: error }), { code: 'ENOSPC' })
  const isRefusal =
    (status !== undefined && status >= 300 && status < 500 && status !== 408 && status !== 429) ||
    name === 'CredentialsProviderError' ||
    message === 'Region is missing'
  const reason = [...new Set([name === 'Error' ? '' : name, code, message])].filter((part) => part !== '').join(': ')
  return new StoreError(`${bucket}${endpoint === null ? '' : ` at ${endpoint}`}: ${reason}`, isRefusal, error)
}
