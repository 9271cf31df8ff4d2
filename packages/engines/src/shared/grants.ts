import type { AccountPower } from '@parquetry/model'

/** https://mariadb.com/kb/en/grant/ , https://clickhouse.com/docs/sql-reference/statements/grant */
const found: readonly [AccountPower, RegExp][] = [
  ['superuser', /^(SUPER|SHUTDOWN|SYSTEM( .*)?|SYSTEM_USER|CONNECTION ADMIN|SET USER|SET_USER_ID|ACCESS MANAGEMENT)$/],
  ['accounts', /^(CREATE USER|ALTER USER|DROP USER|CREATE ROLE|ALTER ROLE|DROP ROLE|ROLE ADMIN|ROLE_ADMIN)$/],
  ['files', /^(FILE|SOURCES|URL|REMOTE|S3|HDFS|READ|WRITE|MYSQL|POSTGRES|ODBC|JDBC|MONGO|SQLITE)$/],
  [
    'write',
    /^(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|TRUNCATE|OPTIMIZE|INDEX|DELETE HISTORY|ALL|(CREATE|DROP|ALTER) (TABLE|VIEW|DATABASE|ROUTINE|COLUMN|UPDATE|DELETE|DICTIONARY).*)$/,
  ],
]

/**
 * Privileges beyond reading in the output of SHOW GRANTS. A superuser, such as an account with `ALL` on everything, has the
 * others too, so `superuser` is returned alone.
 */
export function parseGrants(grants: readonly string[]): AccountPower[] {
  const powers = new Set<AccountPower>()
  for (const grant of grants) {
    const [, privileges = '', target = ''] = /^GRANT (.+?) ON (\S+)/i.exec(grant) ?? []
    const isEverywhere = target === '*.*' || target === '*'
    for (const part of privileges.replaceAll(/\([^)]*\)/g, '').split(',')) {
      const right = part
        .trim()
        .toUpperCase()
        .replace(/ PRIVILEGES$/, '')
      if (right === 'ALL' && isEverywhere) powers.add('superuser')
      for (const [power, pattern] of found) if (pattern.test(right)) powers.add(power)
    }
    if (isEverywhere && /WITH GRANT OPTION/i.test(grant)) powers.add('accounts')
  }
  return powers.has('superuser') ? ['superuser'] : [...powers]
}
