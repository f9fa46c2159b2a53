import { Link } from '../ui/links/link'
import { Fragment, type ComponentType } from 'react'
import { CoordinatedOmissionArticle } from './coordinated-omission'
import styles from './learn.module.css'
import { LittlesLawArticle } from './littles-law'
import { OneRunArticle } from './one-run'
import { OpenAndClosedLoopArticle } from './open-and-closed-loop'
import { PercentilePlotArticle } from './percentile-plot'
import type { ArticleProps } from './samples'
import { LearnLink } from './learn-link'
import { terms } from './terms'
import { ToolList } from './tool-view'
import { learnTopicNames, learnTopics, type LearnTopic } from './topics'
import { WarmUpArticle } from './warm-up'

const articles: Readonly<Record<LearnTopic, ComponentType<ArticleProps>>> = {
  'percentile-plot': PercentilePlotArticle,
  'one-run': OneRunArticle,
  'warm-up': WarmUpArticle,
  'open-and-closed-loop': OpenAndClosedLoopArticle,
  'coordinated-omission': CoordinatedOmissionArticle,
  'littles-law': LittlesLawArticle,
}

/** One explanation: a screenful of text around its plot, and links to the others. */
export function LearnView({ topic, ...props }: ArticleProps & { readonly topic: LearnTopic }) {
  const Article = articles[topic]
  return (
    <div className="page">
      <h1 className="page-title">{learnTopics[topic].title}</h1>
      <article className={styles.article}>
        <Article {...props} />
      </article>
      <nav aria-label="More explanations">
        <ul className={`flex wrap ${styles.others}`}>
          {learnTopicNames
            .filter((name) => name !== topic)
            .map((name) => (
              <li key={name}>
                <Link href={`/learn/${name}`}>{learnTopics[name].title}</Link>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  )
}

/** All explanations, each with the question that it answers; at the foot, the version of this Tailboard. */
export function LearnIndex({ version }: { readonly version: string }) {
  return (
    <div className="page">
      <h1 className="page-title">How to read the results</h1>
      <p className="muted">One screen each, with the plot that shows it.</p>
      <ul className={`grid gap-8 above-16 ${styles.topics}`}>
        {learnTopicNames.map((name) => (
          <li key={name} className="card">
            <Link className="bold" href={`/learn/${name}`}>
              {learnTopics[name].title}
            </Link>
            <p className="muted above-4">{learnTopics[name].summary}.</p>
          </li>
        ))}
      </ul>
      <h2 className={`section-title ${styles.heading}`}>What each tool measures</h2>
      <p className="muted">
        What fails, what a latency spans, how percentiles are computed: tools differ in all of it.
      </p>
      <ToolList />
      <h2 className={`section-title ${styles.heading}`}>For programs</h2>
      <p>
        <Link href="/learn/api">Every operation of the API</Link>, with what it takes and responds with.
      </p>
      <h2 className={`section-title ${styles.heading}`}>Words</h2>
      <dl className={styles.terms}>
        {Object.entries(terms).map(([id, { name, means, topic }]) => (
          <Fragment key={id}>
            <dt className="bold above-16" id={id}>
              {name}
            </dt>
            <dd>
              {means} <LearnLink topic={topic}>More</LearnLink>
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="muted text-13 above-24">Tailboard {version}</p>
    </div>
  )
}
