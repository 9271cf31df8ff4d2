import type { Difference } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/** Formats a key as text: `time_grain_sqla` becomes `Time grain sqla`. */
const plain = (key: string): string => {
  const text = key.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const nodeLabels = (t: Translate): Record<string, string> => ({
  CHART: t('history.node.chart', 'Chart'),
  MARKDOWN: t('history.node.text', 'Text'),
  HEADER: t('history.node.header', 'Header'),
  DIVIDER: t('history.node.divider', 'Divider'),
  TABS: t('history.node.tabs', 'Tabs'),
  TAB: t('history.node.tab', 'Tab'),
  COLUMN: t('history.node.column', 'Column'),
  ROW: t('history.node.row', 'Row'),
})

const fieldLabels = (t: Translate): Record<string, string> => ({
  dashboard_title: t('history.field.title', 'Title'),
  slug: t('history.field.slug', 'URL slug'),
  published: t('history.field.published', 'Status'),
  css: t('history.field.css', 'CSS'),
  theme: t('history.field.theme', 'Theme'),
  theme_id: t('history.field.theme', 'Theme'),
  certified_by: t('history.field.certifiedBy', 'Certified by'),
  certification_details: t('history.field.certification', 'Certification details'),
  owners: t('history.field.owners', 'Owners'),
  roles: t('history.field.roles', 'Roles'),
  editors: t('history.field.owners', 'Owners'),
  viewers: t('history.field.viewers', 'Viewers'),
  slice_name: t('history.field.name', 'Name'),
  viz_type: t('history.field.type', 'Chart type'),
  datasource_id: t('history.field.dataset', 'Dataset'),
  description: t('history.field.description', 'Description'),
  cache_timeout: t('history.field.cache', 'Cache timeout'),
  table_name: t('history.field.name', 'Name'),
  database_id: t('history.field.database', 'Database'),
  sql: t('history.field.sql', 'SQL'),
  main_dttm_col: t('history.field.time', 'Time column'),
  fetch_values_predicate: t('history.field.predicate', 'Filter value predicate'),
  template_params: t('history.field.template', 'Template parameters'),
  offset: t('history.field.offset', 'Hours offset'),
  sqlalchemy_uri: t('history.field.uri', 'Connection string'),
  server_cert: t('history.field.certificate', 'Server certificate'),
  ssh_tunnel: t('history.field.tunnel', 'SSH tunnel'),
  ssh_tunnel_password: t('history.field.tunnelPassword', 'SSH tunnel password'),
  ssh_tunnel_private_key: t('history.field.tunnelKey', 'SSH tunnel private key'),
  ssh_tunnel_private_key_password: t('history.field.tunnelKeyPassword', 'SSH tunnel private key password'),
})

const settingLabels = (t: Translate): Record<string, string> => ({
  label_colors: t('history.setting.labels', 'Label colors'),
  color_scheme: t('history.setting.scheme', 'Color scheme'),
  refresh_frequency: t('history.setting.refresh', 'Auto-refresh'),
  chart_configuration: t('history.setting.cross', 'Cross-filter scopes'),
  cross_filters_enabled: t('history.setting.crossOn', 'Cross-filters'),
  filter_bar_orientation: t('history.setting.bar', 'Filter bar position'),
  parquetry: t('history.setting.apply', 'Filter apply mode'),
})

/** Names the subject of a change. */
function subject(t: Translate, { of, what, name }: Difference): string {
  const named = (kind: string) => (name ? t('history.named', '{kind} “{name}”', { kind, name }) : kind)
  switch (of) {
    case 'node':
      return named(nodeLabels(t)[what] ?? t('history.node.other', 'Block'))
    case 'filter':
      return named(t('history.filter', 'Filter'))
    case 'column':
      return named(t('history.column', 'Column'))
    case 'metric':
      return named(t('history.metric', 'Metric'))
    case 'setting':
      return settingLabels(t)[what] ?? plain(what)
    case 'control':
      return plain(what)
    case 'field':
      return fieldLabels(t)[what] ?? plain(what)
  }
}

/** Describes one difference. */
export function differenceText(t: Translate, difference: Difference): string {
  const { how, before, after } = difference
  const what = subject(t, difference)
  if (before !== undefined && after !== undefined) {
    return t('history.fromTo', '{what}: {before} → {after}', { what, before, after })
  }
  switch (how) {
    case 'added':
      return t('history.added', '{what} added', { what })
    case 'removed':
      return t('history.removed', '{what} removed', { what })
    case 'moved':
      return t('history.moved', '{what} moved', { what })
    case 'changed':
      return t('history.changed', '{what} changed', { what })
  }
}

/** Describes all differences; a repeated sentence appears once, with its count. */
export function differenceTexts(t: Translate, differences: readonly Difference[]): string[] {
  const times = new Map<string, number>()
  for (const difference of differences) {
    const text = differenceText(t, difference)
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  return [...times].map(([text, n]) => (n > 1 ? t('history.times', '{text} ({n} times)', { text, n }) : text))
}
