import type { CauseKind } from './cause'

export type AlertKind = CauseKind | 'drift'

/** What an alert says: of which series, where each one's new level begins (run numbers), and the commit. */
export interface AlertState {
  readonly kind: AlertKind
  /** Run numbers by series id. */
  readonly series: Readonly<Record<string, number>>
  /** Blamed (`commit`) or a candidate (`commit-or-machine`); else null. */
  readonly commit: string | null
}

export interface AlertUpdate extends AlertState {
  /** Number of the run that brought it. */
  readonly run: number
}

/** An alert as first said, with what became of it. */
export interface ProjectAlert extends AlertState {
  /** Number of the newest run when it was raised. */
  readonly raised: number
  readonly environment: string | null
  readonly updates: readonly AlertUpdate[]
  /** Number of the run at which it was closed; null: open. */
  readonly closed: number | null
}

/** What an alert rests on, for later evidence. */
export interface AlertBasis {
  /** A shift of its environment; null: one series moved. */
  readonly shift: { readonly time: number; readonly factor: number } | null
  /** Direction of one series' change. */
  readonly isRise?: boolean
}

const namesCommit = (kind: AlertKind): boolean => kind === 'commit' || kind === 'commit-or-machine'

/** An alert that is followed. */
export class FollowedAlert {
  readonly #updates: AlertUpdate[] = []
  #state: AlertState
  #closed: number | null = null

  constructor(
    readonly raised: number,
    readonly environment: string,
    readonly first: AlertState,
    public basis: AlertBasis,
  ) {
    this.#state = first
  }

  get state(): AlertState {
    return this.#state
  }

  get isOpen(): boolean {
    return this.#closed === null
  }

  /** About this series alone. */
  isAbout(seriesId: string): boolean {
    const [own, other] = Object.keys(this.#state.series)
    return own === seriesId && other === undefined
  }

  /** Says another kind, further series, or another commit; nothing if it says them already. */
  update(run: number, { kind = this.#state.kind, series = {}, commit = null }: Partial<AlertState>): void {
    const added = Object.entries(series).filter(([id]) => !(id in this.#state.series))
    const named = namesCommit(kind) ? (commit ?? this.#state.commit) : null
    if (kind === this.#state.kind && added.length === 0 && named === this.#state.commit) return
    this.#state = { kind, commit: named, series: { ...this.#state.series, ...Object.fromEntries(added) } }
    this.#updates.push({ run, ...this.#state })
  }

  close(run: number): void {
    this.#closed ??= run
  }

  told(): ProjectAlert {
    const { raised, environment } = this
    return { raised, environment, ...this.first, updates: this.#updates, closed: this.#closed }
  }
}
