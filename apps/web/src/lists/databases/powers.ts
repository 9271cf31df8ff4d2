import type { AccountPower } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/**
 * What the account of a connection may do beyond reading, in sentences; nothing where it does not matter.
 * @param mayWrite  the connection takes changes, so that its account has to
 */
export function describeAccountPowers(powers: readonly AccountPower[], mayWrite: boolean, t: Translate): string[] {
  const sentences: Record<AccountPower, string> = {
    superuser: t('lists.power.superuser', 'The account is a superuser: it can do anything on the server.'),
    accounts: t('lists.power.accounts', 'The account can create accounts or grant permissions.'),
    files: t('lists.power.files', 'The account can access files, programs or other servers from the database server.'),
    write: t('lists.power.write', 'The account can change data.'),
  }
  const told = powers.filter((power) => power !== 'write' || !mayWrite).map((power) => sentences[power])
  return told.length === 0 ? [] : [...told, t('lists.power.enough', 'A read-only account is enough.')]
}
