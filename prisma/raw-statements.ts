import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { Prisma, type PrismaClient } from './generated/client'

/** The connection of a transaction while it is open. */
interface OpenTransaction {
  connection: pg.PoolClient | null
}

const opening = new AsyncLocalStorage<OpenTransaction>()

/** The pool for Prisma, by which a transaction's own statements find its connection. */
export function poolForPrisma(pool: pg.Pool): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return () => connectFor(target, opening.getStore())
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

async function connectFor(pool: pg.Pool, transaction: OpenTransaction | undefined): Promise<pg.PoolClient> {
  const connection = await pool.connect()
  if (transaction !== undefined) {
    transaction.connection = connection
    const release = connection.release.bind(connection)
    // Prisma also releases it when the transaction takes too long: what its code still sends must not reach the next.
    connection.release = (error) => {
      transaction.connection = null
      release(error)
    }
  }
  return connection
}

/**
 * The same client, whose `$queryRaw` and `$executeRaw` go to the driver without Prisma, which takes about 1 ms of CPU
 * for each of them. They return what Prisma's return, fail with the driver's errors, and begin when they are called.
 */
export function withRawStatements(client: PrismaClient, pool: pg.Pool): PrismaClient {
  const $transaction = (work: unknown, options?: Parameters<PrismaClient['$transaction']>[1]) => {
    if (!isFunction(work)) return client.$transaction(work as Prisma.PrismaPromise<unknown>[], options)
    const transaction: OpenTransaction = { connection: null }
    const run = (tx: Prisma.TransactionClient) =>
      work(
        replacing(
          tx,
          rawStatements(() => transaction.connection ?? throwClosed()),
        ),
      )
    return opening.run(transaction, () => client.$transaction(run, options))
  }
  return replacing(client, { ...rawStatements(() => pool), $transaction })
}

const isFunction = (value: unknown): value is (tx: Prisma.TransactionClient) => Promise<unknown> =>
  typeof value === 'function'

function replacing<Target extends object>(target: Target, own: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get: (inner, name): unknown => (typeof name === 'string' && own[name]) || Reflect.get(inner, name),
  })
}

function throwClosed(): never {
  throw Object.assign(new Error('The transaction has ended: a statement came too late.'), { code: 'P2028' })
}

type Runner = Pick<pg.Pool, 'query'>
type Template = TemplateStringsArray | Prisma.Sql

function rawStatements(runner: () => Runner) {
  const run = async (template: Template, values: readonly unknown[]) => {
    const sql = template instanceof Prisma.Sql ? template : Prisma.sql(template, ...values)
    return runner().query<object>({ text: sql.text, values: sql.values.map(toParameter), types })
  }
  return {
    $queryRaw: async (template: Template, ...values: readonly unknown[]) => (await run(template, values)).rows,
    $executeRaw: async (template: Template, ...values: readonly unknown[]) =>
      (await run(template, values)).rowCount ?? 0,
  }
}

/** `pg` writes a Date in the process's time zone, which a column without one takes as it is. */
function toParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(toParameter) : value
}

/** As Prisma reads them: `pg` reads bigint and numeric as text. No column has a time without zone. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.NUMERIC, (text) => new Prisma.Decimal(text)],
])

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
