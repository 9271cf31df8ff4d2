import { ApiError } from '@parquetry/client'
import type { TestReport as Report, TestStep } from '@parquetry/model'
import { Icon, StatusChip, useTranslate } from '@parquetry/ui'
import { useEffect, useRef } from 'react'
import { messageOf } from '../../shared/errors.ts'
import listStyles from '../lists.module.css'
import { describeAccountPowers } from './powers.ts'
import styles from './connect.module.css'

/** Extracts how far a failed test came. */
function parseTestFailure(error: unknown): {
  steps: TestStep[]
  step: TestStep['step'] | null
  type: string
  invalid: string[]
} {
  const first = error instanceof ApiError ? error.errors[0] : undefined
  const details = first?.extra?.['parquetry'] as { steps?: TestStep[]; step?: TestStep['step'] } | undefined
  const invalid = first?.extra?.['invalid']
  return {
    steps: details?.steps ?? [],
    step: details?.step ?? null,
    type: first?.error_type ?? '',
    invalid: Array.isArray(invalid) ? (invalid as string[]) : [],
  }
}

/** Likely cause of a failure and how to fix it; undefined if the message is sufficient. */
function useCause(error: unknown, engine: string): string | undefined {
  const t = useTranslate()
  const { step, type, invalid } = parseTestFailure(error)
  if (type === 'CONNECTION_INVALID_HOSTNAME_ERROR')
    return t('lists.test.hostname', 'The host name could not be resolved. Check the spelling or enter the IP address.')
  if (invalid.includes('server_cert'))
    return t(
      'lists.test.certificate',
      'Under “Encryption”, paste the CA certificate that signed the server’s certificate. The server’s administrator can provide it.',
    )
  if (invalid.some((name) => name.startsWith('ssh_tunnel')))
    return t('lists.test.tunnel', 'Check the SSH tunnel fields.')
  if (type === 'CONNECTION_UNKNOWN_DATABASE_ERROR')
    return t('lists.test.database', 'Check the database name. It is case-sensitive.')
  if (/(PASSWORD|USERNAME|ACCESS_DENIED)/.test(type))
    return t(
      'lists.test.account',
      'Check the username and password. They belong to the database account, not the account you use to sign in to Parquetry.',
    )
  if (step === 'reach')
    return t(
      'lists.test.reach',
      'No {engine} server responded at this address. Check the host and port, and whether the server requires encryption. Make sure that the database accepts connections from other machines and that no firewall blocks them.',
      { engine },
    )
  if (step === 'schemas')
    return t(
      'lists.test.schemas',
      'The account can sign in but can’t list schemas. Ask for permission to read the catalog.',
    )
  return undefined
}

export interface TestReportProps {
  engine: string
  /** The database allows DML, so its account may have write access. */
  mayWrite: boolean
  isRunning: boolean
  tested: { parquetry: Report } | undefined
  error: unknown
}

/** Steps of a connection test and its result. */
export function TestReport({ engine, mayWrite, isRunning, tested, error }: TestReportProps) {
  const t = useTranslate()
  const cause = useCause(error, engine)
  const powers = (tested?.parquetry?.warnings ?? []).map(({ power }) => power)
  const warnings = describeAccountPowers(powers, mayWrite, t)
  const names: Record<TestStep['step'], string> = {
    reach: t('lists.test.step.reach', 'Reach the server'),
    sign_in: t('lists.test.step.signIn', 'Sign in'),
    schemas: t('lists.test.step.schemas', 'List schemas'),
  }
  const failure = error == null ? null : parseTestFailure(error)
  const steps = tested?.parquetry?.steps ?? failure?.steps ?? []
  const failed = failure?.step
  const report = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isRunning || tested || error != null) report.current?.scrollIntoView({ block: 'nearest' })
  }, [isRunning, tested, error])
  return (
    <div className={styles.report} ref={report}>
      {(steps.length > 0 || failed) && (
        <ol className={styles.steps} aria-label={t('lists.test.steps', 'Test steps')}>
          {steps.map(({ step, ms }) => (
            <li key={step}>
              <Icon name="check" className={styles.ok} label={t('lists.test.ok', 'Passed')} />
              {names[step]}
              <span className={listStyles.muted}>{t('lists.test.ms', '{ms} ms', { ms })}</span>
            </li>
          ))}
          {failed && (
            <li>
              <Icon name="close" className={styles.bad} label={t('lists.test.bad', 'Failed')} />
              {names[failed]}
            </li>
          )}
        </ol>
      )}
      <div role="status">
        {isRunning ? (
          <StatusChip busy>{t('lists.test.running', 'Testing connection…')}</StatusChip>
        ) : (
          tested && (
            <StatusChip tone="success" icon="check">
              {t('lists.connect.good', 'Connection looks good!')}
            </StatusChip>
          )
        )}
        {warnings.length > 0 && (
          <p className={styles.cause}>
            <StatusChip tone="warning" icon="warning">
              {t('lists.test.powers', 'More than read access')}
            </StatusChip>{' '}
            {warnings.join(' ')}
          </p>
        )}
      </div>
      {error != null && (
        <div role="alert">
          <p className={listStyles.problem}>
            {t('lists.connect.failed', 'ERROR: {message}', { message: messageOf(error) })}
          </p>
          {cause !== undefined && <p className={styles.cause}>{cause}</p>}
        </div>
      )}
    </div>
  )
}
