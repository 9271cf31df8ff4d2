import { Button, Drawer, EmptyState, ErrorPanel, Link, Skeleton, toastError, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { formatRecentTime } from '../../shared/formats.ts'
import { parseUtc } from '../../shared/parse-utc.ts'
import { describeNotification } from './notification-text.ts'
import type { useNotifications } from './use-notifications.ts'
import styles from './Notifications.module.css'

type NotificationsState = ReturnType<typeof useNotifications>

/** Notifications of the user, newest first. */
export function Notifications({
  list,
  unread,
  markRead,
  onClose,
}: Omit<NotificationsState, 'isOn'> & { onClose(): void }) {
  const t = useTranslate()
  const [busy, setBusy] = useState(false)
  const readAll = async (): Promise<void> => {
    setBusy(true)
    await markRead().catch((error: unknown) => toastError(messageOf(error)))
    setBusy(false)
  }
  const shown = (list.data?.result ?? []).flatMap((notification) => {
    const text = describeNotification(t, notification)
    return text === null ? [] : [{ ...notification, text }]
  })
  return (
    <Drawer
      open
      title={t('notifications.title', 'Notifications')}
      onClose={onClose}
      footer={
        unread > 0 && (
          <Button icon="check" onClick={() => void readAll()} busy={busy}>
            {t('notifications.markRead', 'Mark all as read')}
          </Button>
        )
      }
    >
      {list.isPending ? (
        <div aria-busy="true">
          <Skeleton height={56} />
          <Skeleton height={56} />
        </div>
      ) : list.error && !list.data ? (
        <ErrorPanel inline onRetry={() => void list.refetch()}>
          {messageOf(list.error)}
        </ErrorPanel>
      ) : shown.length === 0 ? (
        <EmptyState title={t('notifications.none', 'No notifications')}>
          {t('notifications.noneText', 'Reports of yours that need your attention are listed here.')}
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {shown.map(({ uuid, text, path, created_on, is_read }) => {
            const at = parseUtc(created_on) ?? 0
            return (
              <li key={uuid} className={styles.item} data-unread={!is_read || undefined}>
                {!is_read && <span className="visually-hidden">{t('notifications.unread', 'Unread')}</span>}
                {path ? (
                  <Link href={path} className={styles.text} onClick={onClose}>
                    {text}
                  </Link>
                ) : (
                  <span className={styles.text}>{text}</span>
                )}
                <time dateTime={new Date(at).toISOString()}>{formatRecentTime(at)}</time>
              </li>
            )
          })}
        </ul>
      )}
    </Drawer>
  )
}
