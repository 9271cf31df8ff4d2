import { ChartSizeContext, useWatchedSize } from '@parquetry/charts/views'
import { errorCodes, databaseMessageCodes, type WireError } from '@parquetry/model'
import {
  Delayed,
  Button,
  ErrorPanel,
  Icon,
  IconButton,
  Menu,
  ProgressLine,
  Tooltip,
  useTranslate,
  type MenuItem,
} from '@parquetry/ui'
import { useCallback, useRef, useState, type ReactNode, type Ref } from 'react'
import { ChartSkeleton } from './ChartSkeleton.tsx'
import { formatDateTimeWithZone } from './formats.ts'
import { i18n } from './intl.ts'
import { once } from './once.ts'
import { isServerUnreachable } from './unreachable.ts'
import { useNow } from './use-now.ts'
import styles from './ChartFrame.module.css'

export interface ChartFrameState {
  phase: 'idle' | 'loading' | 'ready' | 'failed' | 'stopped'
  error: WireError | null
  /** When the running question was asked, in ms; null when none runs. */
  since: number | null
}

export interface ChartFacts {
  rowcount: number
  /** Rows that the database gave; the steps of a question may make fewer of them, as the bins of a histogram. */
  readRows: number
  /** The limit of the question; null when it had none. */
  rowLimit: number | null
  /** The question asks for the first so many of an order: to reach the limit is what was meant. */
  isRanking: boolean
  /** Whether rows were really cut. */
  truncated: boolean
  /** When the data was read, in ms; null when it was not cached. */
  cachedAt: number | null
}

export interface ChartFrameProps {
  title: string
  /** Level of its heading. */
  level?: 2 | 3
  description?: ReactNode
  state: ChartFrameState
  /** There is a picture: it stays while a new one loads and while the server is not reached, and faded behind an error. */
  hasPicture: boolean
  /** Its answer is there, its picture comes as soon as the page can draw it. */
  isToBeDrawn?: boolean
  vizType?: string
  /** Null while there are none yet. */
  facts?: ChartFacts | null
  /** Shows the number of rows even when it is no news; its line has its place from the start. */
  showFacts?: boolean
  /** Icons before the menu, only those with news: filters, warnings. */
  marks?: ReactNode
  /** None where it is empty; what takes a while to be made up is, when it opens. */
  menu?: readonly MenuItem[] | (() => MenuItem[])
  /** In place of the picture: a filter to choose, no rows. */
  instead?: ReactNode
  /** It filters others: an accent edge. */
  isSource?: boolean
  onStop?: (() => void) | undefined
  onRetry?: (() => void) | undefined
  /** Says why settings give no picture, where more may be known than the error tells; it is given what is said otherwise. */
  why?: ((otherwise: string) => ReactNode) | undefined
  children?: ReactNode
}

/** One frame for a chart on a dashboard and in Explore: title, picture, what is true about its numbers. */
export function ChartFrame(props: ChartFrameProps) {
  const {
    title,
    level = 2,
    description,
    state,
    hasPicture,
    isToBeDrawn = false,
    facts,
    marks,
    menu,
    instead,
    isSource,
    children,
  } = props
  const t = useTranslate()
  const { ref, room } = useWatchedSize()
  const line = useRef<HTMLDivElement>(null)
  // A line that comes with the picture is not in what was measured before.
  const besideLine = useCallback(() => {
    const whole = line.current ? null : room()
    return whole && { ...whole, height: whole.height - lineHeight }
  }, [room])
  const takesRoom = !props.showFacts && isLimited(facts)
  const Heading = `h${level}` as const
  return (
    <figure
      className={styles.frame}
      data-source={isSource || undefined}
      aria-label={title}
      aria-busy={state.phase === 'loading' || (isToBeDrawn && instead === undefined)}
    >
      <figcaption className={styles.header}>
        <Heading className={styles.title} title={title}>
          {title}
        </Heading>
        {description && (
          <Tooltip text={typeof description === 'string' ? description : t('chartFrame.description', 'Description')}>
            <span
              className={styles.mark}
              tabIndex={0}
              role="img"
              aria-label={t('chartFrame.description', 'Description')}
            >
              <Icon name="info" />
            </span>
          </Tooltip>
        )}
        {state.phase === 'loading' && instead === undefined && <Elapsed since={state.since} onStop={props.onStop} />}
        <span className={styles.marks}>
          {facts && instead === undefined && <Age at={facts.cachedAt} />}
          {marks}
        </span>
        {menu && (typeof menu === 'function' || menu.length > 0) && (
          <Menu items={menu} label={t('chartFrame.menu', 'Actions for {title}', { title })} align="end">
            <IconButton icon="more" label={t('chartFrame.more', 'More actions for {title}', { title })} />
          </Menu>
        )}
      </figcaption>
      <div ref={ref} className={styles.plot}>
        <Content {...props} />
        {instead === undefined && hasPicture && (
          <div
            className={styles.picture}
            data-faded={(state.phase === 'failed' && !isServerUnreachable(state)) || undefined}
          >
            <ChartSizeContext value={takesRoom ? besideLine : room}>{children}</ChartSizeContext>
          </div>
        )}
      </div>
      {instead === undefined && <Rows ref={line} facts={facts ?? null} always={props.showFacts ?? false} />}
    </figure>
  )
}

function Content({ state, hasPicture, isToBeDrawn, vizType, instead, onRetry, why }: ChartFrameProps) {
  const t = useTranslate()
  if (instead !== undefined) return <div className={styles.instead}>{instead}</div>
  if (state.phase === 'loading') {
    // A quick answer needs no sign: twenty lines that begin to run cost more than it.
    return (
      <Delayed>
        {!hasPicture && <ChartSkeleton vizType={vizType} />}
        <ProgressLine label={t('chartFrame.loading', 'Loading data…')} />
      </Delayed>
    )
  }
  if (isToBeDrawn) {
    return (
      <Delayed>
        <ChartSkeleton vizType={vizType} />
      </Delayed>
    )
  }
  if (state.phase === 'stopped') {
    return (
      <div className={styles.note} role="status">
        {t('chartFrame.stopped', 'Updating chart was stopped')}
        {onRetry && <Button onClick={onRetry}>{t('chartFrame.runAgain', 'Run again')}</Button>}
      </div>
    )
  }
  if (hasPicture && isServerUnreachable(state)) {
    return (
      <div className={styles.note} role="status">
        {t('chartFrame.notUpdated', 'Could not update the chart. The server did not respond.')}
        {onRetry && <Button onClick={onRetry}>{t('chartFrame.runAgain', 'Run again')}</Button>}
      </div>
    )
  }
  return state.phase === 'failed' && state.error ? (
    <ChartFailure error={state.error} onRetry={onRetry} why={why} />
  ) : null
}

const slowAfterMs = 2000

/** After two seconds how long it takes, and a way out; beside the title, where it covers no number. */
function Elapsed({ since, onStop }: { since: number | null; onStop?: (() => void) | undefined }) {
  const t = useTranslate()
  const [mounted] = useState(() => Date.now())
  const elapsedMs = useNow('second') - (since ?? mounted)
  if (elapsedMs < slowAfterMs) return null
  return (
    <span className={styles.elapsed}>
      {t('chartFrame.elapsed', '{seconds, number} s', { seconds: Math.floor(elapsedMs / 1000) })}
      {onStop && (
        <Button variant="quiet" icon="stop" onClick={onStop}>
          {t('chartFrame.stop', 'Stop')}
        </Button>
      )}
    </span>
  )
}

/** The data is shared with others. */
const accessErrors = new Set(['dataset_access', 'table_access', 'query_access'])

/** The settings ask for what there is none of: who changes them gets a picture. */
const settingsErrors = new Set([
  'adhoc_subquery',
  'invalid_post_processing',
  'invalid_query',
  'template_invalid',
  'template_missing',
  'unknown_column',
  'unsupported',
])

/** Why there is no data, in words that fit who asks; the way out where there is one. */
export function ChartFailure({ error, onRetry, why }: { error: WireError } & Pick<ChartFrameProps, 'onRetry' | 'why'>) {
  const t = useTranslate()
  const isEngines = databaseMessageCodes.has(error.code)
  const ours = isEngines ? errorCodes[error.code].message : error.message
  // Who may not read the engine's words is given ours in their place.
  const isTold = isEngines && !error.message.endsWith(ours)
  const isUnshared = accessErrors.has(error.code)
  const isOfSettings = settingsErrors.has(error.code)
  const hint = t('chartFrame.settingsWhat', 'Edit the chart settings, then update the chart.')
  // No retry helps here.
  const isDenied = isUnshared || error.code === 'forbidden'
  return (
    <div className={styles.failure}>
      <ErrorPanel
        inline
        title={
          isDenied
            ? t('chartFrame.denied', 'You don’t have access to this data')
            : isOfSettings
              ? t('chartFrame.settings', 'Could not draw the chart with these settings')
              : undefined
        }
        onRetry={isDenied ? undefined : onRetry}
        details={isTold ? error.message : undefined}
        hints={
          isEngines && !isTold
            ? t(
                'chartFrame.untold',
                'Check the custom SQL, or ask the chart owner. The database error is shown only to users who can read the entire database.',
              )
            : isOfSettings && (why?.(hint) ?? hint)
        }
      >
        {isUnshared
          ? t('chartFrame.deniedWhy', 'It is not shared with you. Ask the chart owner or an administrator for access.')
          : ours}
      </ErrorPanel>
    </div>
  )
}

/** A cached answer this young is as good as a new one. */
const freshMs = 60_000

/** The age of an answer that is not fresh any more; beside the title, where it moves nothing when it comes. */
function Age({ at }: { at: number | null }) {
  const t = useTranslate()
  const now = useNow()
  if (at === null || now - at < freshMs) return null
  return (
    <time className={styles.age} dateTime={new Date(at).toISOString()} title={formatDateTimeWithZone(at)}>
      <span className={styles.cached}>{t('chartFrame.cached', 'cached')} </span>
      {ago(at - now)}
    </time>
  )
}

/** A limit was reached: of the question, or of what is read to make its rows. */
function isLimited(facts: ChartFacts | null | undefined): boolean {
  if (!facts) return false
  const { rowcount, rowLimit, truncated } = facts
  const readRows = Math.max(rowcount, facts.readRows)
  return (rowLimit !== null && rowLimit > 0 && readRows >= rowLimit) || (readRows > rowcount && truncated)
}

const lineHeight = 20

/** How many rows are shown, where that is news; with `always` its line has its place before there are any. */
function Rows({ ref, facts, always }: { ref: Ref<HTMLDivElement>; facts: ChartFacts | null; always: boolean }) {
  const t = useTranslate()
  const { rowcount = 0, truncated = false } = facts ?? {}
  const readRows = Math.max(rowcount, facts?.readRows ?? 0)
  const isMade = readRows > rowcount
  const isRanking = facts?.isRanking === true && !isMade
  const isAtLimit = isLimited(facts)
  if (!isAtLimit && !always) return null
  const limit = t('chartFrame.limit', 'Limit reached')
  const rows =
    isMade && isAtLimit
      ? t('chartFrame.made', 'Computed from {count, plural, one {# row} other {# rows}}', { count: readRows })
      : t('chartFrame.rows', '{count, plural, one {# row} other {# rows}}', { count: rowcount })
  return (
    <div ref={ref} className={styles.footer} style={{ height: lineHeight }}>
      {facts && !isAtLimit && <span>{rows}</span>}
      {isAtLimit && isRanking && <span>{t('chartFrame.top', 'Top {count, number}', { count: rowcount })}</span>}
      {isAtLimit && !isRanking && (
        <Tooltip text={truncated ? limit : t('chartFrame.notCut', '{limit}, all rows are shown', { limit })}>
          <span className={styles.limit} tabIndex={0}>
            <Icon name="warning" size={12} />
            {rows} ({limit})
          </span>
        </Tooltip>
      )}
    </div>
  )
}

const spans = once(() => new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto', style: 'short' }))

/** `5 min. ago`: in the largest unit that gives 1 or more. */
function ago(ms: number): string {
  const past = Math.abs(ms)
  if (past < 60_000) return spans().format(0, 'minute')
  if (past < 3_600_000) return spans().format(Math.round(ms / 60_000), 'minute')
  if (past < 86_400_000) return spans().format(Math.round(ms / 3_600_000), 'hour')
  return spans().format(Math.round(ms / 86_400_000), 'day')
}
