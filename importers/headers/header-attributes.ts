import { maxValues } from '../../lib/cube/cube'
import type { ServerRow } from '../../lib/cube/join-rows'
import type { CubeBuilder } from '../rows/cube-builder'
import type { NumberColumn } from '../rows/number-column'
import type { RowTable } from '../rows/row-table'
import type { SampleBatch } from '../rows/sample-batch'
import type { Samples } from '../samples/samples'
import type { TextColumn } from '../rows/text-column'
import { Base64Names } from './header-names'
import { ByteKeys } from '../text/byte-keys'
import { readLatin1, viewOf } from '../text/fast-bytes'

/** Headers that differ from row to row or say nothing of how a request was served, and those that are read elsewhere. */
const ignored = new Set([
  'content-length',
  'date',
  'etag',
  'set-cookie',
  'content-type',
  'last-modified',
  'expires',
  'age',
])
const readElsewhere = new Set(['server-timing', 'x-envoy-upstream-service-time'])
/** Found with these. */
const cacheHeader = 'x-cache'
const idHeaders = new Set(['x-amzn-requestid', 'x-request-id'])
const maxNames = 64
const space = 32
/** After so many responses, headers that never differed are looked at in each sixteenth one, later in each 64th. */
const learnedResponses = 2_048
const knownResponses = 65_536

interface Role {
  readonly kind: 'ignored' | 'id' | 'cold' | 'value'
  readonly name: string
  readonly column: TextColumn | null
  /** The only value so far, as its number. */
  constant: number
  /** Every response is asked: values differ, or some responses lack it. */
  isAsked: boolean
  /** Number of the last response that had it. */
  seenIn: number
}

/** Numbers of headers, by `serverNumbers` of a table. */
const [total, part, envoy] = [0, 1, 2]

/**
 * What the headers of responses say of their rows, for those who asked: categories (`x-cache: HIT`), cold starts,
 * numbers of milliseconds, request ids.
 */
export class HeaderAttributes {
  private readonly names = new ByteKeys(maxNames)
  private readonly roles: Role[] = []
  private responses = 0
  /** Headers that are counted, and how many of them the response being read had. */
  private readonly counted: Role[] = []
  private seen = 0
  /** Those that are not asked, with their only value. */
  private constants: readonly Role[] = []
  /** Their rows are counted when they end. */
  private areSteady = false
  private cache: Role | null = null
  private readonly needsIds: boolean
  private lambda: NumberColumn | null = null
  /** Finds the headers that are asked; null: none is, or they cannot be found that way. */
  searched: Base64Names | null = null
  private areAllRead = false
  private lastBytes = new Uint8Array(0) as Uint8Array
  private lastView = viewOf(this.lastBytes)

  constructor(
    private readonly batch: SampleBatch,
    private readonly cube: CubeBuilder | null,
    private readonly table: RowTable | null,
    private readonly invocations: ReadonlyMap<string, ServerRow> | null,
  ) {
    this.needsIds = table !== null || invocations !== null
  }

  /** Null: nobody asked. Vegeta's requests start at a rate: how many are in flight follows from it. */
  static of({ cube, table, invocations }: Samples, batch: SampleBatch): HeaderAttributes | null {
    if (cube !== null) cube.countsInFlight = false
    return cube === null && table === null ? null : new HeaderAttributes(batch, cube, table, invocations)
  }

  /** A column for a number of Server-Timing or of Envoy's; null: nobody asked, or there are too many. */
  addNumber(name: string): NumberColumn | null {
    return this.cube?.addNumber(name) ?? null
  }

  /** A number of the row read last. `name`: that of its metric; null: Envoy's. */
  setNumber(column: NumberColumn | null, name: string | null, ms: number): void {
    const row = this.batch.size - 1
    if (column !== null) column.values[row] = ms
    this.table?.setServer(row, name === null ? envoy : name === 'total' ? total : part, ms)
  }

  /**
   * Whether all headers of the next response are to be taken: while they are learned, and in some responses after. Else
   * those that never differed are as they were, and `searched` finds the others. `canSearch`: the form can be
   * searched for names; if not, all are taken as long as one is asked.
   */
  begin(canSearch = true): boolean {
    this.seen = 0
    this.responses++
    const row = this.batch.size - 1
    this.cube?.headers.begin(row)
    if (this.responses < learnedResponses || (this.responses & (this.responses < knownResponses ? 15 : 63)) === 0)
      return true
    if (this.responses === learnedResponses + 1) this.search()
    if (this.areAllRead || (!canSearch && this.searched !== null)) return true
    if (!this.areSteady) this.setConstants(row)
    return false
  }

  /** In the batch in which headers were learned; those after are counted when the constant ends. */
  private setConstants(row: number): void {
    this.areSteady = this.constants.every(({ column }) => column === null || column.isSteady)
    if (this.areSteady) return
    for (const { column, constant } of this.constants)
      if (column !== null && !column.isSteady) {
        column.codes[row] = constant
        column.constant = constant
      }
  }

  /** Takes a header of the row read last: name and value, without blanks around it. */
  take(bytes: Uint8Array, view: DataView, from: number, to: number, valueFrom: number, valueTo: number): void {
    const index = this.names.find(view, from, to)
    if (index === this.names.rest) return
    const role = this.roles[index] ?? this.learn(index, readLatin1(bytes, from, to).toLowerCase())
    if (role.kind === 'ignored') return
    const row = this.batch.size - 1
    if (role.seenIn !== this.responses) this.seen++
    role.seenIn = this.responses
    if (role.kind === 'cold') this.cube?.setCold(row, isTrue(readLatin1(bytes, valueFrom, valueTo)))
    else if (role.kind === 'id') this.takeId(row, readLatin1(bytes, valueFrom, valueTo))
    else this.takeValue(role, row, view, valueFrom, valueTo)
  }

  private takeValue(role: Role, row: number, view: DataView, from: number, to: number): void {
    const { column } = role
    if (column === null || column.keys.size > maxValues) return
    column.set(row, view, from, to)
    const code = column.codes[row] ?? -1
    if (role.constant < 0) role.constant = code
    else if (role.constant !== code) this.ask(role)
  }

  /** Takes the value of the header X-Cache, which is read of every response. */
  takeCache(bytes: Uint8Array, from: number, to: number): void {
    if (this.responses < learnedResponses) return
    const role = this.cache
    if (role?.isAsked !== true) return
    let [valueFrom, valueTo] = [from, to]
    while (valueFrom < valueTo && bytes[valueFrom] === space) valueFrom++
    while (valueTo > valueFrom && bytes[valueTo - 1] === space) valueTo--
    this.takeValue(role, this.batch.size - 1, this.viewOf(bytes), valueFrom, valueTo)
  }

  private viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.lastBytes) {
      this.lastBytes = bytes
      this.lastView = viewOf(bytes)
    }
    return this.lastView
  }

  /** Ends a response all of whose headers were taken. */
  end(): void {
    if (this.seen === this.counted.length) return
    for (const role of this.counted) if (role.seenIn !== this.responses) this.ask(role)
  }

  private ask(role: Role): void {
    if (role.isAsked) return
    role.isAsked = true
    if (role.column !== null) this.cube?.headers.endConstant(role.column, this.batch.size - 1)
    if (this.responses > learnedResponses) this.search()
  }

  /** Prepares to look for what is asked of every response. An id with many values is not. */
  private search(): void {
    this.constants = this.counted.filter(({ isAsked }) => !isAsked)
    this.areSteady = false
    const asked = this.counted.filter(
      ({ isAsked, column }) => isAsked && (column === null || column.keys.size <= maxValues),
    )
    const names = asked.map(({ name }) => name).filter((name) => name !== cacheHeader)
    this.searched = names.length === 0 ? null : Base64Names.of(names)
    this.areAllRead = names.length > 0 && this.searched === null
  }

  /** Takes a header as text. */
  takeText(name: string, value: string): void {
    const bytes = encoder.encode(name + value.trim())
    const nameSize = encoder.encode(name).length
    this.take(bytes, viewOf(bytes), 0, nameSize, nameSize, bytes.length)
  }

  private takeId(row: number, id: string): void {
    if (id === '') return
    this.table?.setId(row, id)
    const found = this.invocations?.get(id)
    if (found === undefined) return
    this.cube?.setCold(row, found.isCold)
    this.lambda ??= this.addNumber('lambda;duration')
    if (this.lambda !== null) this.lambda.values[row] = found.serverMs
  }

  private learn(index: number, name: string): Role {
    const role = this.roleOf(name)
    this.roles[index] = role
    return role
  }

  private roleOf(name: string): Role {
    const role: Role = { kind: this.kindOf(name), name, column: null, constant: -1, isAsked: false, seenIn: -1 }
    if (role.kind === 'ignored') return role
    const column = role.kind === 'value' ? (this.cube?.headers.add(`header:${name}`) ?? null) : null
    if (role.kind === 'value' && column === null) return { ...role, kind: 'ignored' }
    // One that appears later was lacking before.
    const counted = { ...role, column, isAsked: role.kind !== 'value' || this.responses > 1 }
    this.counted.push(counted)
    if (name === cacheHeader) this.cache = counted
    if (this.responses > learnedResponses) this.search()
    return counted
  }

  private kindOf(name: string): Role['kind'] {
    if (idHeaders.has(name)) return this.needsIds ? 'id' : 'ignored'
    if (name === '' || ignored.has(name) || readElsewhere.has(name)) return 'ignored'
    return name.includes('cold') ? 'cold' : 'value'
  }
}

const encoder = new TextEncoder()

const isTrue = (value: string): boolean => /^(?:1|true|cold|yes)$/i.test(value)
