import type { Translate } from '@parquetry/ui'

/** What a built-in role is for; undefined for other roles. */
export const describeBuiltIn = (t: Translate, name: string): string | undefined =>
  ({
    Admin: t('roles.builtIn.admin', 'Reads all data and may do everything.'),
    Alpha: t('roles.builtIn.alpha', 'Reads all data, and creates dashboards, charts and datasets.'),
    Gamma: t('roles.builtIn.gamma', 'Uses and creates dashboards and charts of data that a role gives access to.'),
    sql_lab: t('roles.builtIn.sqlLab', 'Adds SQL Lab to another role such as Gamma or Alpha.'),
    Public: t('roles.builtIn.public', 'What visitors may do without signing in.'),
  })[name]
