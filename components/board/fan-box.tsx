'use client'

import { ReadDrawings } from '../charts/plot/figure'
import { Link } from '../ui/links/link'
import type { ShownFan } from './board-fan'
import styles from './board.module.css'

/** The percentiles of a series' newest run on those of its level, its key figures, and links from there. */
export function FanBox({ fan }: { fan: ShownFan }) {
  return (
    <section aria-label={`Percentiles of ${fan.title}`}>
      <div className={`flex baseline between gap-12 text-12 ${styles.fanHead}`}>
        <h2>{fan.title}</h2>
        <span className="muted nowrap">
          {fan.day}
          {fan.commit === null ? null : (
            <>
              {' · '}
              <span className="mono nowrap">{fan.commit}</span>
            </>
          )}
        </span>
      </div>
      {fan.sent === null ? (
        <p className="muted">No percentiles printed, and no samples to compute them from.</p>
      ) : (
        <>
          <ReadDrawings sent={fan.sent} />
          {fan.keys.length === 0 ? null : (
            <ul className={`flex wrap muted text-12 ${styles.keys}`} data-state={fan.state ?? undefined}>
              {fan.keys.map(({ kind, name }) => (
                <li key={kind}>
                  <i data-kind={kind} aria-hidden="true" />
                  {name}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {fan.figures.length === 0 ? null : (
        <dl className={`outlined grid ${styles.figures}`} data-state={fan.state ?? undefined}>
          {fan.figures.map(({ label, text, range, isOff }) => (
            <div key={label}>
              <dt className="muted text-12">{label}</dt>
              <dd data-off={isOff ? '' : undefined}>
                {text}
                <small>{range}</small>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="flex wrap gap-8">
        <Link className="button" href={fan.runHref}>
          Open run
        </Link>
        {fan.compareHref === null ? null : (
          <Link className="button" href={fan.compareHref}>
            {fan.compareWords}
          </Link>
        )}
      </div>
    </section>
  )
}
