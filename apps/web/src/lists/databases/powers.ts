import type { AccountPower } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/**
 * What the account of a connection may do beyond reading, in sentences; nothing where it does not matter.
 * @param mayWrite  the connection takes changes, so that its account has to
 */
export function powerSentences(powers: readonly AccountPower[], mayWrite: boolean, t: Translate): string[] {
  const sentences: Record<AccountPower, string> = {
    superuser: t('lists.power.superuser', 'The account is a superuser: it may do everything on the server.'),
    accounts: t('lists.power.accounts', 'The account may make accounts, or give rights away.'),
    files: t('lists.power.files', 'The account may reach files, programs or other servers from the database server.'),
    write: t('lists.power.write', 'The account may change data.'),
  }
  const told = powers.filter((power) => power !== 'write' || !mayWrite).map((power) => sentences[power])
  return told.length === 0 ? [] : [...told, t('lists.power.enough', 'An account that only reads is enough.')]
}
