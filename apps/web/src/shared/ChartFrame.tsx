import { ChartSizeContext, useWatchedSize } from '@parquetry/charts/views'
import { errorCodes, databaseMessageCodes, type WireError } from '@parquetry/model'
import {
  Delayed,
  Button,
  ButtonLink,
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
import { ownErrorMessage } from './own-error-message.ts'
import { RefusedNote } from './RefusedNote.tsx'
import { can } from './rights.ts'
import { RequestAccess } from './sharing/RequestAccess.tsx'
import { isServerUnreachable } from './unreachable.ts'
import { useNow } from './use-now.ts'
import styles from './ChartFrame.module.css'

export interface ChartFrameState {
  phase: 'idle' | 'loading' | 'ready' | 'failed' | 'stopped'
  error: WireError | null
  /** Start of the running query, in ms; null when none runs. */
  since: number | null
  /** The query was refused because too much is waiting; time of the next try, in ms. */
  retryAt?: number | null
}

export interface ChartFacts {
  rowcount: number
  /** Rows that the database returned; post-processing may reduce them, such as to the bins of a histogram. */
  readRows: number
  /** Row limit of the query; null when it has none. */
  rowLimit: number | null
  /** The query requests the top rows of an order, so that reaching the limit is intended. */
  isRanking: boolean
  /** Rows were actually cut off. */
  truncated: boolean
  /** When the data was read, in ms; null when it was not cached. */
  cachedAt: number | null
}

export interface ChartFrameProps {
  title: string
  /** Heading level. */
  level?: 2 | 3
  description?: ReactNode
  state: ChartFrameState
  /** A chart exists: it stays while a new one loads and while the server is unreachable, and is faded behind an error. */
  hasPicture: boolean
  /** The data has arrived, and the chart appears as soon as the page can draw it. */
  isToBeDrawn?: boolean
  vizType?: string
  /** Null until available. */
  facts?: ChartFacts | null
  /** Always shows the number of rows; its line is reserved from the start. */
  showFacts?: boolean
  /** Icons before the menu, only those with news: filters, warnings. */
  marks?: ReactNode
  /** Hidden when empty; a function builds costly items when the menu opens. */
  menu?: readonly MenuItem[] | (() => MenuItem[])
  /** Replaces the chart: a required filter, no rows. */
  instead?: ReactNode
  /** Stops the chart from filtering others. While it is set, the frame has an accent edge and a button. */
  onClearCrossFilter?: (() => void) | undefined
  onStop?: (() => void) | undefined
  onRetry?: (() => void) | undefined
  /** Explains why settings produce no chart, where more is known than the error tells; receives the default hint. */
  why?: ((otherwise: string) => ReactNode) | undefined
  /** Button that corrects settings which produce no chart; beside the one that tries again. */
  fix?: ReactNode
  children?: ReactNode
}

/** Frame of a chart on a dashboard and in Explore: title, chart, and facts about its data. */
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
    onClearCrossFilter,
    children,
  } = props
  const t = useTranslate()
  const { ref, room } = useWatchedSize()
  const line = useRef<HTMLDivElement>(null)
  // A row line that appears with the chart is not part of the earlier measurement.
  const besideLine = useCallback(() => {
    const available = line.current ? null : room()
    return available && { ...available, height: available.height - lineHeight }
  }, [room])
  const takesRoom = !props.showFacts && isLimited(facts)
  const Heading = `h${level}` as const
  return (
    <figure
      className={styles.frame}
      data-source={onClearCrossFilter !== undefined || undefined}
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
          {onClearCrossFilter && (
            <button
              type="button"
              className={styles.clear}
              aria-label={t('chartFrame.clearCrossFilter', 'Clear cross-filter of {title}', { title })}
              onClick={onClearCrossFilter}
            >
              {t('chartFrame.clear', 'Clear')}
              <Icon name="close" size={12} />
            </button>
          )}
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
            data-faded={(state.phase === 'failed' && state.retryAt == null && !isServerUnreachable(state)) || undefined}
          >
            <ChartSizeContext value={takesRoom ? besideLine : room}>{children}</ChartSizeContext>
          </div>
        )}
      </div>
      {instead === undefined && <Rows ref={line} facts={facts ?? null} always={props.showFacts ?? false} />}
    </figure>
  )
}

function Content({ state, hasPicture, isToBeDrawn, vizType, instead, onRetry, why, fix }: ChartFrameProps) {
  const t = useTranslate()
  if (instead !== undefined) return <div className={styles.instead}>{instead}</div>
  if (state.phase === 'loading') {
    // A quick response needs no indicator: starting twenty progress lines would cost more than the response.
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
  if (state.phase === 'failed' && state.error && state.retryAt != null) {
    return (
      <>
        {!hasPicture && <ChartSkeleton vizType={vizType} />}
        <RefusedNote error={state.error} retryAt={state.retryAt} onRetry={onRetry} />
      </>
    )
  }
  return state.phase === 'failed' && state.error ? (
    <ChartFailure error={state.error} onRetry={onRetry} why={why} fix={fix} />
  ) : null
}

const slowAfterMs = 2000

/** Shows the elapsed time after two seconds, and a Stop button; beside the title, where it covers no data. */
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

/** Codes for data that is not shared with the user. */
const accessErrors = new Set(['dataset_access', 'table_access', 'query_access'])

/** Codes for settings that request something impossible: changing them fixes the chart. */
const settingsErrors = new Set([
  'adhoc_subquery',
  'invalid_post_processing',
  'invalid_query',
  'template_invalid',
  'template_missing',
  'unknown_column',
  'unsupported',
])

/** Codes for connections that have to be changed, or whose database does not answer. */
const connectionErrors = new Set([
  'connection_database',
  'connection_failed',
  'connection_hostname',
  'connection_missing',
  'connection_password',
  'connection_port_closed',
  'connection_username',
  'engine_unsupported',
])

const mayChangeDatabases = can('can_write', 'Database')

/** Explains why there is no data, in terms that fit the user, and offers a fix where one exists. */
export function ChartFailure({
  error,
  onRetry,
  why,
  fix,
}: { error: WireError } & Pick<ChartFrameProps, 'onRetry' | 'why' | 'fix'>) {
  const t = useTranslate()
  const isEngines = databaseMessageCodes.has(error.code)
  const ours = isEngines ? errorCodes[error.code].message : error.message
  // Users who may not read the engine message receive the product's own message instead.
  const isEngineMessageVisible = isEngines && !error.message.endsWith(ours)
  const isUnshared = accessErrors.has(error.code)
  const isOfSettings = settingsErrors.has(error.code)
  const hint = t('chartFrame.settingsWhat', 'Edit the chart settings, then update the chart.')
  // Retrying does not help here.
  const isDenied = isUnshared || error.code === 'forbidden'
  const isUnsupported = error.code === 'engine_unsupported'
  const isOfConnection = connectionErrors.has(error.code)
  const own = ownErrorMessage(errorCodes[error.code].type)
  return (
    <div className={styles.failure}>
      <ErrorPanel
        inline
        title={
          isDenied
            ? t('chartFrame.denied', 'You don’t have access to this data')
            : isOfSettings
              ? t('chartFrame.settings', 'Could not draw the chart with these settings')
              : isUnsupported
                ? t('chartFrame.unsupported', 'The database of this chart is not supported')
                : isOfConnection
                  ? t('chartFrame.noConnection', 'The database of this chart cannot be reached')
                  : undefined
        }
        onRetry={isDenied || isUnsupported ? undefined : onRetry}
        actions={
          isUnshared ? (
            <RequestAccess />
          ) : isOfSettings ? (
            fix
          ) : (
            isOfConnection &&
            mayChangeDatabases && (
              <ButtonLink href="/databaseview/list/">{t('chartFrame.databases', 'Go to databases')}</ButtonLink>
            )
          )
        }
        details={isEngineMessageVisible ? error.message : undefined}
        hints={
          isEngines && !isEngineMessageVisible
            ? t(
                'chartFrame.untold',
                'Check the custom SQL, or ask the chart owner. The database error is shown only to users who can read the entire database.',
              )
            : isOfSettings
              ? (why?.(hint) ?? hint)
              : isOfConnection &&
                (mayChangeDatabases
                  ? !isUnsupported && t('chartFrame.checkConnection', 'Check its connection, and test it there.')
                  : t('chartFrame.askConnection', 'Ask an administrator to check the connection of the database.'))
        }
      >
        {own !== undefined && <p>{own}</p>}
        {isUnshared
          ? t('chartFrame.deniedWhy', 'It is not shared with you. Ask the chart owner or an administrator for access.')
          : ours}
      </ErrorPanel>
    </div>
  )
}

/** A cached result this young counts as fresh. */
const freshMs = 60_000

/** Age of a result that is no longer fresh; beside the title, where its appearance moves nothing. */
function Age({ at }: { at: number | null }) {
  const t = useTranslate()
  const now = useNow()
  if (at === null || now - at < freshMs) return null
  return (
    <time
      className={styles.age}
      dateTime={new Date(at).toISOString()}
      title={t('chartFrame.dataAsOf', 'Data as of {time}', { time: formatDateTimeWithZone(at) })}
    >
      <span className={styles.cached}>
        {t('chartFrame.cached', 'cached')} {ago(at - now, 'long')}
      </span>
      <span className={styles.cachedShort}>{ago(at - now, 'short')}</span>
    </time>
  )
}

/** A limit was reached: that of the query, or that of the rows read to compute its result. */
function isLimited(facts: ChartFacts | null | undefined): boolean {
  if (!facts) return false
  const { rowcount, rowLimit, truncated } = facts
  const readRows = Math.max(rowcount, facts.readRows)
  return (rowLimit !== null && rowLimit > 0 && readRows >= rowLimit) || (readRows > rowcount && truncated)
}

const lineHeight = 20

/** Shows the number of rows when it is relevant; with `always`, its line is reserved before rows exist. */
function Rows({ ref, facts, always }: { ref: Ref<HTMLDivElement>; facts: ChartFacts | null; always: boolean }) {
  const t = useTranslate()
  const { rowcount = 0, truncated = false } = facts ?? {}
  const readRows = Math.max(rowcount, facts?.readRows ?? 0)
  const isAggregated = readRows > rowcount
  const isRanking = facts?.isRanking === true && !isAggregated
  const isAtLimit = isLimited(facts)
  if (!isAtLimit && !always) return null
  const limit = t('chartFrame.limit', 'Limit reached')
  const rows =
    isAggregated && isAtLimit
      ? t('chartFrame.made', 'Computed from {count, plural, one {# row} other {# rows}}', { count: readRows })
      : t('chartFrame.rows', '{count, plural, one {# row} other {# rows}}', { count: rowcount })
  return (
    <div ref={ref} className={styles.footer} style={{ height: lineHeight }}>
      {facts && !isAtLimit && <span>{rows}</span>}
      {isAtLimit && isRanking && <span>{t('chartFrame.top', 'Top {count, number}', { count: rowcount })}</span>}
      {isAtLimit && !isRanking && (
        <Tooltip text={truncated ? limit : t('chartFrame.notCut', '{limit}, but all rows are shown', { limit })}>
          <span className={styles.limit} tabIndex={0}>
            <Icon name="warning" size={12} />
            {rows} ({limit})
          </span>
        </Tooltip>
      )}
    </div>
  )
}

const createSpans = (style: 'long' | 'short') =>
  once(() => new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto', style }))
const spans = { long: createSpans('long'), short: createSpans('short') }

/** Formats `5 minutes ago`, or `5 min. ago`, in the largest unit that gives 1 or more. */
function ago(ms: number, style: 'long' | 'short'): string {
  const past = Math.abs(ms)
  const format = spans[style]()
  if (past < 60_000) return format.format(0, 'minute')
  if (past < 3_600_000) return format.format(Math.round(ms / 60_000), 'minute')
  if (past < 86_400_000) return format.format(Math.round(ms / 3_600_000), 'hour')
  return format.format(Math.round(ms / 86_400_000), 'day')
}
