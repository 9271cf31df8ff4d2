import type { AccountSession } from '@parquetry/model'
import { Button, StatusChip, toastError, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { useNow } from '../../shared/use-now.ts'
import styles from '../account.module.css'
import { formatStoredDateTime, parseStoredTime } from '../stored-time.ts'
import { describeDevice } from './describe-device.ts'

export interface SessionListProps {
  sessions: readonly AccountSession[]
  /** Name of the list for screen readers. */
  label: string
  end(session: AccountSession): Promise<void>
}

/** Sessions shown before the rest is requested: programs that sign in for each run leave many. */
const firstSessions = 6
/** The server records the use of a session once a minute. */
const activeMs = 150_000

/** Devices on which a user is signed in, the current one first. */
export function SessionList({ sessions, label, end }: SessionListProps) {
  const t = useTranslate()
  const now = useNow()
  const [isComplete, setComplete] = useState(false)
  const [ending, setEnding] = useState<string | null>(null)
  const ordered = [...sessions.filter((each) => each.is_current), ...sessions.filter((each) => !each.is_current)]
  const shown = isComplete ? ordered : ordered.slice(0, firstSessions)
  const endOne = async (session: AccountSession): Promise<void> => {
    setEnding(session.id)
    try {
      await end(session)
    } catch (error) {
      toastError(messageOf(error))
    }
    setEnding(null)
  }
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {shown.map((session) => {
          const name = deviceName(t, session)
          return (
            <li key={session.id}>
              <div className={styles.entry}>
                <div className={styles.name}>
                  <span>{name}</span>
                  {session.is_current && (
                    <StatusChip tone="success" icon="check">
                      {t('account.session.current', 'This session')}
                    </StatusChip>
                  )}
                </div>
                <p className={styles.facts}>
                  <span>
                    {t('account.session.signedIn', 'Signed in {time}', {
                      time: formatStoredDateTime(session.created_on),
                    })}
                  </span>
                  <span>
                    {now - parseStoredTime(session.last_seen_on).getTime() < activeMs
                      ? t('account.session.active', 'Active now')
                      : t('account.session.seen', 'Last active {time}', {
                          time: formatStoredDateTime(session.last_seen_on),
                        })}
                  </span>
                </p>
              </div>
              {!session.is_current && (
                <Button
                  busy={ending === session.id}
                  aria-label={t('account.session.endNamed', 'Sign out {device}', { device: name })}
                  onClick={() => void endOne(session)}
                >
                  {t('account.session.end', 'Sign out')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {shown.length < ordered.length && (
        <div className={styles.actions}>
          <Button variant="quiet" onClick={() => setComplete(true)}>
            {t('account.session.more', 'Show {count, plural, one {# more} other {# more}}', {
              count: ordered.length - shown.length,
            })}
          </Button>
        </div>
      )}
    </>
  )
}

function deviceName(t: Translate, { user_agent, kind }: AccountSession): string {
  const device = describeDevice(user_agent)
  if (device === null)
    return kind === 'api' ? t('account.session.program', 'A program') : t('account.session.browser', 'A browser')
  return device.system === undefined
    ? device.program
    : t('account.session.device', '{program} on {system}', { program: device.program, system: device.system })
}
