import path from 'node:path'
import { z } from 'zod'
import { parseCidrs, type WebhookPolicy } from './webhook-policy'

/**
 * All settings from the environment, read once. Nothing else reads `process.env` except components/facts, for tests.
 */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Absolute. Holds the embedded database and the raw uploads. */
  readonly dataFolder: string
  /** Where raw uploads are stored; null: in `raw/` of the data folder. */
  readonly bucket: BucketSettings | null
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  /** The server behind `databaseUrl` if that is a pooler; null: it is the server itself. */
  readonly directUrl: string | null
  /**
   * Absolute. Built file of the thread that reads uploads; null when sources run: in development, tests and scripts.
   */
  readonly importWorker: string | null
  /** The same for the thread of the embedded database. */
  readonly databaseWorker: string | null
  readonly maxUploadBytes: number
  /** Origin under which strangers reach shares through a proxy, without a trailing slash; null: there is none. */
  readonly publicUrl: string | null
  /**
   * Longest that a build waits for its verdict within one request; after that, the response gives the address to ask
   * again.
   */
  readonly gateMs: number
  /** Longest silence of an upload, in ms. */
  readonly uploadIdleMs: number
  /** Time over which the speed of an upload of known length is measured, in ms. */
  readonly uploadSlowMs: number
  /** Origin of this app for people and in messages, without a trailing slash. */
  readonly appUrl: string
  /** Whether people sign in and machines send tokens. False: any client, on this machine only, may do everything. */
  readonly hasAccounts: boolean
  /** Whether a start prints an owner link even if there is an owner: for a server whose owner cannot sign in. */
  readonly printsOwnerLink: boolean
  /** A provider that people can sign in with besides a password; null: none. */
  readonly oidc: OidcSettings | null
  readonly tokenLimits: TokenLimits
  /** Whether the log is JSON, with a line for each request; else plain lines. */
  readonly logsJson: boolean
  /** The token that opens `/metrics`; null: there is no such page. */
  readonly metricsToken: string | null
  /** Requests that one address may send in a minute without being signed in, on a server with accounts. */
  readonly anonymousPerMinute: number
  readonly webhooks: WebhookPolicy
  /**
   * The server that takes e-mail (`smtps://user:password@host`), and the sender's address; null: e-mail cannot be sent.
   */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  /** Shortens the waits between the attempts of a delivery; 1 except in tests. */
  readonly retryScale: number
  /** The secret that encrypts addresses and secrets of channels; null: the key file in the data folder. */
  readonly secretKey: string | null
}

/** An S3-compatible bucket. Its credentials are found as by every program with the AWS SDK. */
export interface BucketSettings {
  readonly name: string
  /** Null: Amazon's own, by the region. */
  readonly endpoint: string | null
  /** Null: the SDK finds it. */
  readonly region: string | null
  /** Whether the bucket is in the path of addresses, instead of in the host name. */
  readonly isPathStyle: boolean
  /** Prefix of each object's name; empty, or with a trailing slash. */
  readonly prefix: string
}

/** An OpenID Connect provider, and this server as its client. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Its name on the button. */
  readonly name: string
}

/** How much a token may request; beyond it, the response is 429. */
export interface TokenLimits {
  readonly requestsPerMinute: number
  readonly uploadsPerMinute: number
  readonly uploadsPerHour: number
}

/** In the build's folder. */
export const importWorkerFile = 'import-worker.cjs'
export const databaseWorkerFile = 'database-worker.cjs'
export const routesFile = 'routes.mjs'
export const viewerFile = 'viewer.html'

const GIGABYTE = 1024 ** 3

/** The build that `scripts/start.js` serves; for a script started without it, the newest. */
const buildOf = (env: Readonly<Record<string, string | undefined>>): string =>
  env.TAILBOARD_BUILD || path.join(/*turbopackIgnore: true*/ env.TAILBOARD_NEXT_DIR || '.next', 'current')

/** 127.0.0.0/8, ::1 and localhost: addresses that only this machine can reach. */
export function isLoopbackName(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
}

/** The page without a server, in the build. */
export const builtViewer = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(/*turbopackIgnore: true*/ buildOf(env), viewerFile)

/** In the build; null: the source is run. */
const builtFile = (env: Readonly<Record<string, string | undefined>>, name: string): string | null =>
  env.NODE_ENV === 'production' ? path.resolve(/*turbopackIgnore: true*/ buildOf(env), name) : null

/** Throws an Error whose message is a sentence for the terminal. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const host = env.HOST || '127.0.0.1'
  const hasAccounts = parseAuth(env, host)
  const port = Number(env.PORT || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT=${env.PORT} is not a port number.`)
  const databaseUrl = parseDatabase('DATABASE_URL', env.DATABASE_URL)
  const directUrl = parseDatabase('TAILBOARD_DATABASE_DIRECT_URL', env.TAILBOARD_DATABASE_DIRECT_URL)
  if (directUrl !== null && databaseUrl === null)
    throw new Error('TAILBOARD_DATABASE_DIRECT_URL needs DATABASE_URL: the pooler in front of it.')
  return {
    host,
    port,
    // Next's tracing assumes that a path that depends on the environment may be anywhere in the project.
    dataFolder: path.resolve(/*turbopackIgnore: true*/ env.TAILBOARD_DATA || 'data'),
    bucket: parseBucket(env),
    databaseUrl,
    directUrl,
    importWorker: builtFile(env, importWorkerFile),
    databaseWorker: builtFile(env, databaseWorkerFile),
    maxUploadBytes: parseMaxUpload(env),
    publicUrl: parsePublicUrl(env.TAILBOARD_PUBLIC_URL),
    gateMs: parseMs('TAILBOARD_GATE_MS', env.TAILBOARD_GATE_MS, 0, 60_000) ?? 10_000,
    uploadIdleMs: parseMs('TAILBOARD_UPLOAD_IDLE_MS', env.TAILBOARD_UPLOAD_IDLE_MS, 100, 24 * 3_600_000) ?? 15 * 60_000,
    uploadSlowMs: parseMs('TAILBOARD_UPLOAD_SLOW_MS', env.TAILBOARD_UPLOAD_SLOW_MS, 100, 3_600_000) ?? 60_000,
    appUrl: parseOrigin('TAILBOARD_URL', env.TAILBOARD_URL) ?? `http://localhost:${port}`,
    hasAccounts,
    printsOwnerLink: env.TAILBOARD_OWNER_LINK === '1',
    oidc: parseOidc(env),
    tokenLimits: {
      requestsPerMinute: parseCount('TAILBOARD_TOKEN_REQUESTS', env.TAILBOARD_TOKEN_REQUESTS) ?? 600,
      uploadsPerMinute: parseCount('TAILBOARD_TOKEN_UPLOADS', env.TAILBOARD_TOKEN_UPLOADS) ?? 60,
      uploadsPerHour: parseCount('TAILBOARD_TOKEN_UPLOADS_HOUR', env.TAILBOARD_TOKEN_UPLOADS_HOUR) ?? 1_000,
    },
    anonymousPerMinute: parseCount('TAILBOARD_ANONYMOUS_REQUESTS', env.TAILBOARD_ANONYMOUS_REQUESTS) ?? 300,
    logsJson: parseLog(env.TAILBOARD_LOG),
    metricsToken: parseMetricsToken(env.TAILBOARD_METRICS_TOKEN),
    webhooks: {
      allowHttp: env.TAILBOARD_WEBHOOK_HTTP === '1',
      ports: parsePorts(env.TAILBOARD_WEBHOOK_PORTS) ?? [443, 80, 8443],
      allowCidrs: parseCidrs(env.TAILBOARD_WEBHOOK_CIDRS ?? ''),
    },
    mail: parseMail(env.TAILBOARD_SMTP_URL, env.TAILBOARD_MAIL_FROM),
    retryScale: parseScale(env.TAILBOARD_RETRY_SCALE) ?? 1,
    secretKey: parseSecretKey(env.TAILBOARD_SECRET_KEY),
  }
}

function parseDatabase(name: string, text: string | undefined): string | null {
  if (!text || /^postgres(ql)?:\/\//.test(text)) return text || null
  throw new Error(`${name} must begin with postgres:// or postgresql://; unset it to use the embedded database.`)
}

/**
 * Whether accounts are on: with TAILBOARD_AUTH=on, or if other machines can reach the server. They need a secret, and
 * an address for which browsers keep the session cookie.
 */
function parseAuth(env: Readonly<Record<string, string | undefined>>, host: string): boolean {
  const { TAILBOARD_AUTH: auth = '' } = env
  if (!['', 'on', 'off'].includes(auth)) throw new Error(`TAILBOARD_AUTH=${auth} is neither on nor off.`)
  if (isLoopbackName(host) && auth !== 'on') return false
  if (auth === 'off')
    throw new Error(`TAILBOARD_AUTH=off is for this machine only, and HOST=${host} can be reached from elsewhere.`)
  if (parseSecretKey(env.TAILBOARD_SECRET_KEY) === null) {
    const why = auth === 'on' ? 'TAILBOARD_AUTH=on' : `HOST=${host}, which others can reach,`
    throw new Error(
      `${why} needs TAILBOARD_SECRET_KEY: 32 characters or more; make one with \`openssl rand -base64 32\`.`,
    )
  }
  const origin = parseOrigin('TAILBOARD_URL', env.TAILBOARD_URL)
  if (origin === null && !isLoopbackName(host))
    throw new Error(
      `HOST=${host} needs TAILBOARD_URL: the address that people open, like https://tailboard.example.com.`,
    )
  if (origin?.startsWith('http:') && !isLoopbackName(new URL(origin).hostname))
    throw new Error(
      `TAILBOARD_URL=${origin} must begin with https://: browsers keep no session over an unencrypted connection. Put a proxy with a certificate in front.`,
    )
  return true
}

function parseOidc(env: Readonly<Record<string, string | undefined>>): OidcSettings | null {
  const { TAILBOARD_OIDC_ISSUER: issuer, TAILBOARD_OIDC_CLIENT_ID: clientId } = env
  const { TAILBOARD_OIDC_CLIENT_SECRET: clientSecret, TAILBOARD_OIDC_NAME: name = 'single sign-on' } = env
  if (!issuer) return null
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))))
    throw new Error(`TAILBOARD_OIDC_ISSUER=${issuer} is not an address that begins with https://.`)
  if (!clientId || !clientSecret)
    throw new Error('TAILBOARD_OIDC_ISSUER needs TAILBOARD_OIDC_CLIENT_ID and TAILBOARD_OIDC_CLIENT_SECRET.')
  return { issuer, clientId, clientSecret, name }
}

function parseBucket(env: Readonly<Record<string, string | undefined>>): BucketSettings | null {
  const { TAILBOARD_S3_BUCKET: name, TAILBOARD_S3_PATH_STYLE: pathStyle = '', TAILBOARD_S3_PREFIX: prefix = '' } = env
  if (!name) return null
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]+$/.test(name))
    throw new Error(`TAILBOARD_S3_BUCKET=${name} is not the name of a bucket.`)
  if (!['', 'on', 'off'].includes(pathStyle))
    throw new Error(`TAILBOARD_S3_PATH_STYLE=${pathStyle} is neither on nor off.`)
  if (!/^(?:[\w.-]+\/)*[\w.-]*$/.test(prefix))
    throw new Error(`TAILBOARD_S3_PREFIX=${prefix} is not like a folder; write it like tailboard or team/tailboard.`)
  const endpoint = parseOrigin('TAILBOARD_S3_ENDPOINT', env.TAILBOARD_S3_ENDPOINT)
  return {
    name,
    endpoint,
    // Other vendors' servers mostly ignore it, but it is signed.
    region: env.TAILBOARD_S3_REGION || (endpoint !== null && !env.AWS_REGION ? 'us-east-1' : null),
    isPathStyle: pathStyle === '' ? endpoint !== null : pathStyle === 'on',
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  }
}

/** A bucket copies at most 5 GB at once. */
function parseMaxUpload(env: Readonly<Record<string, string | undefined>>): number {
  const bytes = parseBytes(env.TAILBOARD_MAX_UPLOAD) ?? 2 * GIGABYTE
  if (env.TAILBOARD_S3_BUCKET && bytes > 5 * GIGABYTE)
    throw new Error(
      `TAILBOARD_MAX_UPLOAD=${env.TAILBOARD_MAX_UPLOAD} is more than the 5GB that a bucket takes at once.`,
    )
  return bytes
}

function parsePublicUrl(text: string | undefined): string | null {
  const origin = parseOrigin('TAILBOARD_PUBLIC_URL', text)
  if (origin !== null && isLoopbackName(new URL(origin).hostname)) {
    throw new Error(
      'TAILBOARD_PUBLIC_URL is reachable from this machine only; unset it, or use the name that others use.',
    )
  }
  return origin
}

function parseOrigin(name: string, text: string | undefined): string | null {
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash + url.username !== '') {
    throw new Error(`${name}=${text} is not an origin; write it like https://tailboard.example.com.`)
  }
  return url.origin
}

function parsePorts(text: string | undefined): readonly number[] | null {
  if (!text) return null
  const ports = text.split(/[\s,]+/).map(Number)
  if (ports.every((port) => Number.isInteger(port) && port > 0 && port <= 65_535)) return ports
  throw new Error(`TAILBOARD_WEBHOOK_PORTS=${text} is not a list of ports; write it like 443,8443.`)
}

function parseMail(smtpUrl: string | undefined, from: string | undefined): Settings['mail'] {
  if (!smtpUrl) return null
  // The URL may contain a password: it is not repeated here.
  if (!/^smtps?:\/\//.test(smtpUrl) || !URL.canParse(smtpUrl)) {
    throw new Error('TAILBOARD_SMTP_URL must be like smtps://user:password@mail.example.com or smtp://localhost:25.')
  }
  if (!z.email().safeParse(from).success || from === undefined) {
    throw new Error('TAILBOARD_MAIL_FROM must be the sender address of mails, like tailboard@example.com.')
  }
  return { smtpUrl, from }
}

function parseSecretKey(text: string | undefined): string | null {
  if (!text) return null
  if (text.length >= 32) return text
  throw new Error('TAILBOARD_SECRET_KEY is shorter than 32 characters; make one with `openssl rand -base64 32`.')
}

function parseLog(text: string | undefined): boolean {
  if (!text || text === 'plain' || text === 'json') return text === 'json'
  throw new Error(`TAILBOARD_LOG=${text} is neither plain nor json.`)
}

function parseMetricsToken(text: string | undefined): string | null {
  if (!text) return null
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text
  throw new Error(
    'TAILBOARD_METRICS_TOKEN must have 16 or more characters, without spaces; make one with `openssl rand -hex 24`.',
  )
}

function parseScale(text: string | undefined): number | null {
  if (!text) return null
  const scale = Number(text)
  if (scale > 0 && scale <= 1) return scale
  throw new Error(`TAILBOARD_RETRY_SCALE=${text} must be above 0 and at most 1.`)
}

function parseCount(name: string, text: string | undefined): number | null {
  if (!text) return null
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 1 && count <= 1_000_000))
    throw new Error(`${name}=${text} is not a whole number from 1 to 1,000,000.`)
  return count
}

function parseMs(name: string, text: string | undefined, min: number, max: number): number | null {
  if (!text) return null
  const ms = Number(text)
  if (!(ms >= min && ms <= max)) throw new Error(`${name}=${text} is not ${min} to ${max} milliseconds.`)
  return ms
}

function parseBytes(text: string | undefined): number | null {
  if (!text) return null
  const match = /^(\d+)\s*([KMG]?)B?$/i.exec(text.trim())
  if (!match) throw new Error(`TAILBOARD_MAX_UPLOAD=${text} is not a size; write bytes, or 500MB, or 2GB.`)
  const power = ['', 'K', 'M', 'G'].indexOf((match[2] ?? '').toUpperCase())
  return Number(match[1]) * 1024 ** power
}

let known: Settings | null = null

/** The settings of this process. Only tests change them: they run sources. */
export const settings = (): Settings =>
  process.env.NODE_ENV === 'production' ? (known ??= readSettings(process.env)) : readSettings(process.env)
