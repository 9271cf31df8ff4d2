import type { AccountPower } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/**
 * Warnings about an account's privileges beyond reading; empty if they are appropriate.
 * @param mayWrite  the connection allows DML, so its account needs write access
 */
export function describeAccountPowers(powers: readonly AccountPower[], mayWrite: boolean, t: Translate): string[] {
  const warnings: Record<AccountPower, string> = {
    superuser: t('lists.power.superuser', 'The account is a superuser: it can do anything on the server.'),
    accounts: t('lists.power.accounts', 'The account can create accounts or grant permissions.'),
    files: t('lists.power.files', 'The account can access files, programs or other servers from the database server.'),
    write: t('lists.power.write', 'The account can change data.'),
  }
  const activeWarnings = powers.filter((power) => power !== 'write' || !mayWrite).map((power) => warnings[power])
  return activeWarnings.length === 0
    ? []
    : [...activeWarnings, t('lists.power.enough', 'A read-only account is enough.')]
}
