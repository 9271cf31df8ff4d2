import { parseExactJson, AppError, message, type Value } from '@parquetry/model'
import { inlineValues, formatLocalIso, resolveTimeRange } from '@parquetry/query'
import {
  buildMacros,
  needsRendering,
  type MacroScope,
  type TemplateContext,
  type TemplateValue,
  type UsedFilters,
} from '@parquetry/templates'
import type { ConnectionDeps } from '../connection/deps.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { renderDatasetSql, renderMetricSql } from './lookups.ts'
import { createPartitionMacros } from './partitions.ts'

/** The context of a template: the query of a chart, or SQL Lab text. */
export interface TemplateScope extends Namespace {
  database: DatabaseRow
  /** Values of the author. */
  values: Record<string, TemplateValue>
  /** Values of the query, which viewers choose. */
  ofViewers: Record<string, TemplateValue>
  /** Columns of the dataset. */
  names: readonly string[]
  url_params: ReadonlyMap<string, string>
  filters: MacroScope['filters']
  time_range: string | null
  rules: readonly string[]
  /** The dataset of a metric when none is named. */
  datasetId: number | null
}

export const isTemplating = ({ settings }: Pick<ConnectionDeps, 'settings'>): boolean =>
  settings.flags['ENABLE_TEMPLATE_PROCESSING'] === true

/**
 * For texts that run unrendered because templates are disabled: without this, a template is a mistake in the SQL or, between quotes,
 * a text that nothing equals.
 * @throws AppError `template_invalid` that names the flag
 */
export function refuseDisabledTemplate(database: DatabaseRow, texts: readonly (string | null | undefined)[]): void {
  const { dialect } = engineFor(database)
  if (!texts.some((text) => text && needsRendering(text, dialect.name))) return
  throw new AppError('template_invalid', {
    message: message(
      'errors.templates.disabled',
      'This SQL contains a template, but templates are disabled. An administrator can enable them with the feature flag ENABLE_TEMPLATE_PROCESSING.',
    ),
  })
}

export function templateContext(
  deps: ConnectionDeps,
  principal: Principal,
  templateScope: TemplateScope,
  used: UsedFilters,
): TemplateContext {
  const { dialect } = engineFor(templateScope.database)
  const { id, username, email, roles, attributes } = principal
  const scope: MacroScope = {
    user: id === null ? null : { id, username: username ?? '', email, roles: roles.map(({ name }) => name) },
    attributes,
    url_params: templateScope.url_params,
    filters: templateScope.filters,
    time_range: templateScope.time_range,
    rules: templateScope.rules,
    timeRange: (text) => resolveTimeRange(text, { now: formatLocalIso(deps.now().getTime(), deps.settings.timeZone) }),
    instant: (iso, type) => inlineValues(dialect.instant(iso, type), dialect),
    dataset: (datasetId, options) => renderDatasetSql(deps, principal, datasetId, options),
    metric: (key, datasetId) => {
      const dataset = datasetId ?? templateScope.datasetId
      if (dataset === null)
        throw new AppError('template_invalid', {
          message: message(
            'errors.templates.metricDataset',
            'Specify the dataset ID for the metric {metric} in the metric macro.',
            { metric: key },
          ),
        })
      return renderMetricSql(deps, principal, key, dataset)
    },
  }
  return {
    values: templateScope.values,
    untrustedValues: templateScope.ofViewers,
    names: templateScope.names,
    macros: {
      ...buildMacros(scope, used),
      ...createPartitionMacros(deps, principal, templateScope.database, templateScope),
    },
    literal: (value) => dialect.literal(literalValue(value)),
    dialect: dialect.name,
  }
}

function literalValue(value: TemplateValue): Value {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map(literalValue)
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** Parses parameters that a user wrote as JSON; as in the API, anything but a JSON object counts as none. */
export function parseTemplateParams(text: string | null | undefined): Record<string, TemplateValue> {
  if (!text) return {}
  try {
    const value: unknown = parseExactJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, TemplateValue>)
      : {}
  } catch {
    return {}
  }
}
