import type { ApiKeyDescription } from '@parquetry/model'
import { Button, confirm, StatusChip, toast, toastError, useTranslate } from '@parquetry/ui'
import { messageOf } from '../../shared/errors.ts'
import styles from '../account.module.css'
import { formatStoredDate, formatStoredDateTime } from '../stored-time.ts'
import { describeScopes } from './scope-labels.ts'

export interface ApiKeyListProps {
  keys: readonly ApiKeyDescription[]
  /** Name of the list for screen readers. */
  label: string
  revoke(key: ApiKeyDescription): Promise<void>
}

/** Keys in use, then those that have expired or were revoked. */
export function ApiKeyList({ keys, label, revoke }: ApiKeyListProps) {
  const t = useTranslate()
  const ask = async (key: ApiKeyDescription): Promise<void> => {
    const { name } = key
    const isConfirmed = await confirm({
      title: t('account.key.revokeTitle', 'Revoke {name}?', { name }),
      body: t('account.key.revokeBody', 'Programs that use this key stop working at once. This cannot be undone.'),
      action: t('account.key.revoke', 'Revoke'),
      danger: true,
    })
    if (!isConfirmed) return
    try {
      await revoke(key)
      toast(t('account.key.wasRevoked', 'Revoked: {name}', { name }))
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  const ordered = [...keys.filter(({ active }) => active), ...keys.filter(({ active }) => !active)]
  return (
    <ul className={styles.list} aria-label={label}>
      {ordered.map((key) => (
        <li key={key.uuid} className={key.active ? undefined : styles.inactive}>
          <div className={styles.entry}>
            <div className={styles.name}>
              <span>{key.name}</span>
              {key.active ? (
                <StatusChip title={key.scopes?.replaceAll(',', '\n')}>{describeScopes(t, key.scopes)}</StatusChip>
              ) : key.revoked_on === null ? (
                <StatusChip tone="warning" icon="clock">
                  {t('account.key.expired', 'Expired')}
                </StatusChip>
              ) : (
                <StatusChip tone="danger" icon="stop">
                  {t('account.key.revoked', 'Revoked')}
                </StatusChip>
              )}
            </div>
            <p className={styles.facts}>
              <code>{key.key_prefix}…</code>
              <span>{t('account.created', 'Created {date}', { date: formatStoredDate(key.created_on) })}</span>
              <span>
                {key.last_used_on === null
                  ? t('account.key.neverUsed', 'Never used')
                  : t('account.key.lastUsed', 'Last used {time}', { time: formatStoredDateTime(key.last_used_on) })}
              </span>
              <span>
                {key.expires_on === null
                  ? t('account.key.noExpiry', 'Does not expire')
                  : t('account.expires', 'Expires {date}', { date: formatStoredDate(key.expires_on) })}
              </span>
            </p>
          </div>
          {key.active && (
            <Button
              aria-label={t('account.key.revokeNamed', 'Revoke {name}', { name: key.name })}
              onClick={() => void ask(key)}
            >
              {t('account.key.revoke', 'Revoke')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
