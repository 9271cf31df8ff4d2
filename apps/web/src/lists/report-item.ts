import type { MenuItem, Translate } from '@parquetry/ui'
import { canWriteReports } from '../shared/reports/has-reports.ts'

/** Menu item of a chart or dashboard that opens the form of a new report; none without the permission. */
export const reportItem = (t: Translate, kind: 'chart' | 'dashboard', id: number, name: string): MenuItem[] =>
  canWriteReports
    ? [
        {
          label: t('reports.menu.new', 'Set up an email report'),
          icon: 'clock',
          href: `/report/list/?new=true&${kind}=${id}&name=${encodeURIComponent(name)}`,
        },
      ]
    : []
