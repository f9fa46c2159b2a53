/** The server's clock less the client's, seconds, with its interval. */
export interface ClockOffset {
  readonly value: number
  readonly low: number
  readonly high: number
}
