import type { Difference, VersionedKind } from '@parquetry/model'
import {
  Button,
  Drawer,
  EmptyState,
  ErrorPanel,
  userDisplayName,
  Skeleton,
  StatusChip,
  useTranslate,
} from '@parquetry/ui'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTimestamp } from '../formats.ts'
import { messageOf } from '../errors.ts'
import { readVersions, versionsPageSize } from './calls.ts'
import { differenceTexts } from './difference-texts.ts'
import { useRestoreVersion } from './use-restore-version.ts'
import { VersionPreview } from './VersionPreview.tsx'
import styles from './history.module.css'

export interface VersionsDrawerProps {
  kind: VersionedKind
  id: number
  name: string
  onClose(): void
  /** Lets the page that shows the object reread it. */
  onRestored?: () => Promise<void> | void
}

const maxShownChanges = 8

/** Lists who changed an object, when, and how; any version can be restored as the newest one. */
export function VersionsDrawer({ kind, id, name, onClose, onRestored }: VersionsDrawerProps) {
  const t = useTranslate()
  const { restore, restoring } = useRestoreVersion(kind, id, onRestored)
  const [open, setOpen] = useState<number | null>(null)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [kind, 'versions', id],
    queryFn: ({ pageParam, signal }) => readVersions(kind, id, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ count }, pages) => (pages.length * versionsPageSize < count ? pages.length : undefined),
    staleTime: 0,
  })
  const versions = data?.pages.flatMap(({ result }) => result) ?? []
  return (
    <Drawer open title={t('history.title', 'Versions of {name}', { name })} onClose={onClose}>
      {error ? (
        <ErrorPanel inline onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : !data ? (
        <Skeleton height={160} />
      ) : versions.length === 0 ? (
        <EmptyState title={t('history.none', 'No versions yet')}>
          {t('history.noneText', 'Versions are saved here starting with the next change.')}
        </EmptyState>
      ) : (
        <>
          <ol className={styles.list}>
            {versions.map((version, index) => (
              <li key={version.n} className={styles.version}>
                <div className={styles.head}>
                  <span className={styles.when}>{formatTimestamp(parseUtc(version.at))}</span>
                  <span className={styles.who}>
                    {version.author ? userDisplayName(version.author) : t('history.nobody', 'Unknown user')}
                  </span>
                  {index === 0 && <StatusChip>{t('history.current', 'Current')}</StatusChip>}
                  <span className={styles.end}>
                    {!version.is_withheld && (
                      <Button
                        variant="quiet"
                        aria-expanded={open === version.n}
                        onClick={() => setOpen(open === version.n ? null : version.n)}
                      >
                        {t('history.preview', 'Preview')}
                      </Button>
                    )}
                    {index > 0 && !version.is_withheld && (
                      <Button
                        busy={restoring === version.n}
                        onClick={() => void restore(version.n, parseUtc(version.at))}
                      >
                        {t('history.restore', 'Restore')}
                      </Button>
                    )}
                  </span>
                </div>
                {version.is_withheld ? (
                  <p className={styles.quiet}>
                    {t('history.withheld', 'This version uses a dataset that you don’t have access to.')}
                  </p>
                ) : (
                  <VersionChanges
                    differences={version.differences}
                    isFirst={index === versions.length - 1 && !hasNextPage}
                  />
                )}
                {open === version.n && <VersionPreview kind={kind} id={id} n={version.n} />}
              </li>
            ))}
          </ol>
          {hasNextPage && (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('history.more', 'Show older versions')}
            </Button>
          )}
        </>
      )}
    </Drawer>
  )
}

const parseUtc = (at: string): Date => new Date(`${at}Z`)

/** Describes the changes of a version; long lists expand on demand. */
export function VersionChanges({ differences, isFirst }: { differences: readonly Difference[]; isFirst: boolean }) {
  const t = useTranslate()
  const [showsAll, setShowsAll] = useState(false)
  const texts = differenceTexts(t, differences)
  if (texts.length === 0) {
    return (
      <p className={styles.quiet}>
        {isFirst ? t('history.first', 'First recorded version') : t('history.same', 'Saved without changes')}
      </p>
    )
  }
  const shown = showsAll ? texts : texts.slice(0, maxShownChanges)
  return (
    <>
      <ul className={styles.changes}>
        {shown.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {shown.length < texts.length && (
        <Button variant="quiet" onClick={() => setShowsAll(true)}>
          {t('history.moreChanges', '{n, plural, one {# more change} other {# more changes}}', {
            n: texts.length - shown.length,
          })}
        </Button>
      )}
    </>
  )
}
